import {
  addWebhook,
  endpointSecret,
  parseWebhookKeys,
  type SecretSource,
} from "@partner-connect/connections/webhooks";
import { setClientStatus } from "@partner-connect/directory";
import { expect, test } from "vitest";
import { expectPage } from "../testing/merchant-browser.ts";
import { suiteFixture } from "../testing/merchant-fixture.ts";
import { type PartnerFixture, partnerFixture } from "../testing/partner-fixture.ts";

const KEY = "a-key-of-at-least-32-characters....";
const fixture = await suiteFixture({ env: { WEBHOOK_KEY: KEY } });
const { sql } = fixture.replicas;
const partner = await partnerFixture(fixture);

const keys = parseWebhookKeys(KEY);

async function endpoint({ client }: PartnerFixture = partner): Promise<string> {
  const wanted = { clientId: client.clientId, url: "https://partner.example/hooks?a=1&b=<2>" };
  return (await addWebhook(sql, wanted, keys, { name: "operator:test" })).webhook.id;
}

/** The ids of tests that wait to be sent. */
async function testsOf(id: string): Promise<string[]> {
  const jobs = await sql<{ test: string }[]>`
    SELECT data ->> 'test' AS test FROM worker_jobs.job WHERE name = 'webhook_test' AND data ->> 'id' = ${id}`;
  return jobs.map(({ test }) => test);
}

test("the webhooks page shows only the app's own endpoints, with their states and deliveries", async () => {
  const id = await endpoint();
  const at = "2026-11-23T10:00:00.000Z";
  const delivery = { id: "msg_1", at, milliseconds: 12, status: 500, error: "500", body: "<b>" };
  // The worker's reasons are English texts or codes.
  const unanswered = ["ECONNREFUSED", "the name x can't be resolved", "no answer within 5 s"].map(
    (error) => ({ ...delivery, status: null, error }),
  );
  await sql`
    UPDATE oauth.webhooks SET status = 'paused', failing_since = '2026-11-20', deliveries = ${JSON.stringify([delivery, ...unanswered])}::text::jsonb
    WHERE id = ${id}`;
  const { html } = await partner.open("webhooks");
  expect(html).toMatch(
    /Failed<\/span> <span>Couldn’t connect<.*>\u00a0· <\/span><code>ECONNREFUSED<\/code> · 12 ms[\s\S]*Host name not found · 12 ms[\s\S]*No response · 12 ms/,
  );
  const shown = "<code>https://<wbr>partner.<wbr>example/<wbr>hooks?a=1&amp;b=&lt;2&gt;</code>";
  expect(html).toContain(shown);
  expect(html).toMatch(
    /Paused[\s\S]*2026-11-20[\s\S]*500[\s\S]*12 ms[\s\S]*2026-11-23 10:00:00\.000<\/time> UTC[\s\S]*msg_1/,
  );
  expect(html).not.toContain("Next attempt");
  // as after a test that arrived
  await sql`UPDATE oauth.webhooks SET failing_since = NULL WHERE id = ${id}`;
  const paused = `<strong class="tag caution">Paused</strong> ${shown} <span class="fine"></span>`;
  expect((await partner.open()).html).toContain(paused);
  await sql`
    UPDATE oauth.webhooks SET status = 'active', failing_since = '2026-11-20', failures = 4, next_attempt_at = '2999-01-01' WHERE id = ${id}`;
  expect((await partner.open("webhooks")).html.replaceAll(/<\/?time[^>]*>/g, "")).toMatch(
    /Failing<.*>4\u00a0failures since Nov 20, 2026, .* UTC\. Next attempt Jan 1, 2999, .* UTC.<.*>Response: <code>&lt;b&gt;<.*<details open>/s,
  );
  expect((await partner.open()).html).toContain(
    `<strong class="tag bad">Failing</strong> ${shown} <span class="fine">since <time datetime="2026-11-20`,
  );
  const others = await (await partnerFixture(fixture)).open("webhooks");
  expect(others.html).toContain("No endpoints yet");
});

test("the form for a test webhook requests one audited test, even if sent twice, but none for a disabled app", async () => {
  const own = await partnerFixture(fixture);
  const id = await endpoint(own);
  const { browser, id: merchantId } = await own.join();
  const form = await browser.open(own.path("webhooks"));
  const done = await browser.press(form, "Send test");
  expect(done.location).toBe(`${own.path("webhooks")}?done=test`);
  const page = await browser.open(done.location ?? "");
  expect(page.html).toContain(`Test sent. <a href="${own.path("webhooks")}">See the result</a>.<`);
  await browser.press(form, "Send test");
  const tests = await testsOf(id);
  expect(tests).toHaveLength(1);
  const [testId] = tests;
  const records = await sql`
    SELECT event, actor, details FROM directory.audit_log WHERE client_id = ${own.client.clientId}`;
  expect(records).toContainEqual({
    event: "webhook_test",
    actor: `merchant:${merchantId}`,
    details: { webhook_id: id, hint_id: testId },
  });
  await setClientStatus(sql, own.client.clientId, "disabled", { name: "operator:test" });
  const none = await browser.press(page, "Send test");
  expectPage(none, 409, "Nothing was changed");
});

const statuses = async ({ client }: PartnerFixture) => {
  const rows =
    await sql`SELECT status FROM oauth.webhooks WHERE client_id = ${client.clientId} ORDER BY id`;
  return rows.map(({ status }) => status);
};
const url = "https://8.8.8.8/hooks";

test("every change of an endpoint by a member is audited, and a new secret is shown only once", async () => {
  const own = await partnerFixture(fixture);
  const { browser, id: merchantId } = own.person;
  const wanted = { url: ` ${url} ` };
  const added = await browser.press(await own.open("webhooks"), "Add endpoint", wanted);
  const [secret] = /whsec_[\w+/=]+/.exec(added.html) ?? [];
  expect([added.status, added.headers["cache-control"]]).toEqual([200, "no-store"]);
  const [stored] = await sql<{ id: string; url: string; secrets: SecretSource[] }[]>`
      SELECT id, url, secrets FROM oauth.webhooks WHERE client_id = ${own.client.clientId}`;
  expect(stored?.url).toBe(url);
  const source = stored?.secrets[0] ?? expect.fail("no secret");
  expect(secret).toBe(endpointSecret(parseWebhookKeys(KEY), stored?.id ?? "", source));
  const page = await own.open("webhooks");
  expect(page.html).not.toContain("whsec_");

  const replace = await browser.open(own.path(`webhooks/${stored?.id}/replace`));
  const replaced = await browser.press(replace, "Replace secret");
  const [now] = await sql<{ secrets: SecretSource[] }[]>`
    SELECT secrets FROM oauth.webhooks WHERE id = ${stored?.id ?? ""}`;
  const [newSource, former] = now?.secrets ?? expect.fail("no secrets");
  expect(replaced.html).toContain(endpointSecret(keys, stored?.id ?? "", newSource ?? source));
  expect({ ...former, expires_at: null }).toEqual(source);
  const again = await browser.press(replace, "Replace secret");
  expectPage(again, 409, "Two secrets still");

  await browser.press(page, "Pause");
  expect(await statuses(own)).toEqual(["paused"]);
  await browser.press(await own.open("webhooks"), "Resume");
  expect(await statuses(own)).toEqual(["active"]);
  await browser.press(await own.open(`webhooks/${stored?.id}/remove`), "Remove");
  expect(await statuses(own)).toEqual([]);
  const records = await sql`
      SELECT event, actor FROM directory.audit_log WHERE client_id = ${own.client.clientId} AND event LIKE 'webhook%' ORDER BY id`;
  const by = `merchant:${merchantId}`;
  expect(records.map(({ event, actor }) => [event, actor])).toEqual(
    ["add", "rotate_secret", "pause", "resume", "remove"].map((what) => [`webhook_${what}`, by]),
  );
});

test("a member of the app can't add an endpoint at an address that is not public", async () => {
  const own = await partnerFixture(fixture);
  const wrong = { url: "https://10.0.0.1/hooks" };
  const refused = await own.person.browser.press(await own.open("webhooks"), "Add endpoint", wrong);
  expectPage(refused, 422, "Use an https URL");
  expect(await statuses(own)).toEqual([]);
});

test("a form sent twice concurrently adds one endpoint, and the page states the limit of ten endpoints", async () => {
  const own = await partnerFixture(fixture);
  const form = await own.open("webhooks");
  const answers = await Promise.all(
    [1, 2].map(() => own.person.browser.press(form, "Add endpoint", { url })),
  );
  const answered = answers.map(({ status }) => status).toSorted();
  expect(answered).toEqual([200, expect.toBeOneOf([403, 409])]);
  for (let added = 1; added < 10; added++) await endpoint(own);
  expect(await statuses(own)).toHaveLength(10);
  expect((await own.open("webhooks")).html).toContain("You can have up to ten endpoints.");
});

test("a form that names another app's endpoint requests no test webhook", async () => {
  const [id, other] = [await endpoint(), await endpoint(await partnerFixture(fixture))];
  const { browser } = partner.person;
  const page = await browser.open(partner.path("webhooks"));
  const refused = await browser.press(page, "Send test", { webhook: other });
  expectPage(refused, 409, '<div class="notice caution" role="alert"');
  for (const each of [id, other]) expect(await testsOf(each)).toEqual([]);
});
