import { addWebhook, parseWebhookKeys } from "@partner-connect/connections/webhooks";
import { setClientStatus } from "@partner-connect/directory";
import { beforeAll, expect, test } from "vitest";
import { suiteFixture } from "../testing/merchant-fixture.ts";
import { type PartnerFixture, partnerFixture } from "../testing/partner-fixture.ts";

const fixture = await suiteFixture();
let partner: PartnerFixture;
beforeAll(async () => {
  partner = await partnerFixture(fixture);
});

const keys = parseWebhookKeys("a-key-of-at-least-32-characters....");

async function endpoint({ client }: PartnerFixture = partner): Promise<string> {
  const wanted = { clientId: client.clientId, url: "https://partner.example/hooks?a=1&b=<2>" };
  return (await addWebhook(fixture.replicas.sql, wanted, keys, { name: "operator:test" })).webhook.id;
}

/** The ids of tests that wait to be sent. */
async function testsOf(id: string): Promise<string[]> {
  const jobs = await fixture.replicas.sql<{ hint: string }[]>`
    SELECT data ->> 'hint' AS hint FROM worker_jobs.job WHERE name = 'webhook_test' AND data ->> 'id' = ${id}`;
  return jobs.map(({ hint }) => hint);
}

test("an app's people see its endpoints with what was delivered, and none of another app's", async () => {
  expect((await partner.open("webhooks")).html).toContain("has no endpoint");
  const id = await endpoint();
  const delivery = {
    id: "msg_1",
    at: "2026-11-23T10:00:00.000Z",
    milliseconds: 12,
    status: 500,
    error: "HTTP 500",
    body: "b",
  };
  await fixture.replicas.sql`
    UPDATE oauth.webhooks SET status = 'paused', failing_since = '2026-11-20', deliveries = ${JSON.stringify([delivery])}::text::jsonb
    WHERE id = ${id}`;
  const { html } = await partner.open("webhooks");
  expect(html).toContain("https://partner.example/hooks?a=1&amp;b=&lt;2&gt;");
  expect(html).toMatch(/Paused[\s\S]*Nov 20, 2026[\s\S]*2026-11-23 10:00:00.000 UTC[\s\S]*500[\s\S]*12 ms[\s\S]*msg_1/);
  expect((await (await partnerFixture(fixture)).open("webhooks")).html).toContain("has no endpoint");
});

test("somebody of the app asks for a test, on record; for an app that is disabled, it is refused", async () => {
  const own = await partnerFixture(fixture);
  const id = await endpoint(own);
  const { browser, id: merchantId } = await own.join();
  const done = await browser.press(await browser.open(own.path("webhooks")), "Send a test");
  expect(done.location).toBe(`${own.path("webhooks")}?told=test`);
  const page = await browser.open(done.location ?? "");
  expect(page.html).toMatch(/The test is on its way/);
  const [hintId] = await testsOf(id);
  const records = await fixture.replicas.sql`
    SELECT event, actor, details FROM directory.audit_log WHERE client_id = ${own.client.clientId}`;
  expect(records).toContainEqual({
    event: "webhook_test",
    actor: `merchant:${merchantId}`,
    details: { webhook_id: id, hint_id: hintId },
  });
  await setClientStatus(fixture.replicas.sql, own.client.clientId, "disabled", { name: "operator:test" });
  const none = await browser.press(page, "Send a test");
  expect([none.status, none.html]).toEqual([409, expect.stringContaining("Nothing was sent")]);
});

test("a form that names another app's endpoint sends nothing", async () => {
  const [id, other] = [await endpoint(), await endpoint(await partnerFixture(fixture))];
  const { browser } = partner.person;
  const page = await browser.open(partner.path("webhooks"));
  expect((await browser.press(page, "Send a test", { webhook: other })).status).toBe(409);
  for (const each of [id, other]) expect(await testsOf(each)).toEqual([]);
});
