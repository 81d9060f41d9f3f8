import { randomBytes } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { suiteFixture } from "../testing/merchant-fixture.ts";
import { askAs } from "../testing/partner-calls.ts";
import { type PartnerFixture, partnerFixture } from "../testing/partner-fixture.ts";
import { exchangeCode, refreshTokens } from "../testing/token-calls.ts";

const fixture = await suiteFixture();
const { sql } = fixture.replicas;
let partner: PartnerFixture;
let shopId: string;
let refreshToken: string;

/** A new app with a test shop that is filled. */
beforeEach(async () => {
  partner = await partnerFixture(fixture);
  await partner.person.browser.press(await partner.open("settings"), "Create test shop");
  shopId = /shop_\w+/.exec((await partner.open("settings")).html)?.[0] ?? "";
  await sql`
    UPDATE directory.test_shops SET steps = 1, responses = 2000 WHERE shop_id = ${shopId}`;
});

const { app } = fixture.replicas;
const open = () => partner.open(`settings/test-shops/${shopId}`);
const press = async (button: string) => await partner.person.browser.press(await open(), button);

async function connect(): Promise<void> {
  const of = { shopId, clientId: partner.client.clientId, merchantId: partner.person.id };
  const code = await fixture.replicas.approveAndIssueCode({ ...of, scope: ["responses:read"] });
  refreshToken = (await exchangeCode(app(), partner.client, code)).body.refresh_token;
}

const refresh = async () => {
  const { status, body } = await refreshTokens(app(), partner.client, refreshToken);
  return [status, body.error_description];
};
const listed = async () =>
  (await askAs(fixture.replicas, partner.client, "/oauth/api/connections"))
    .json()
    .data.map(({ status }: { status: string }) => status);
const events = async () =>
  (
    await sql`
      SELECT event, actor FROM oauth.audit_log WHERE shop_id = ${shopId} AND event IN ('expire', 'revoke', 'disable', 'enable', 'shop_change_test')
      ORDER BY id`
  ).map(({ event, actor }) => [event, actor]);
const byPerson = () => `merchant:${partner.person.id}`;
const button = (html: string, text: string) => html.includes(`>${text}</button>`);

test.each([
  ["Expire", "expire", "expired", "refresh token expired", "Expired"],
  ["Revoke", "revoke", "revoked", "grant revoked", "Disconnected"],
  ["Disable", "disable", "disabled", "grant revoked", "Paused"],
])(
  "the button '%s' of a test shop records the event %s and gives the connection the status %s",
  async (text, event, status, description, tag) => {
    await connect();
    const before = await open();
    expect((await press(text)).location).toBe(partner.path(`settings/test-shops/${shopId}`));
    expect(await refresh()).toEqual([400, description]);
    expect(await listed()).toEqual([status]);
    expect(await events()).toEqual([[event, byPerson()]]);
    await fixture.replicas.activity.flush();
    const { html } = await open();
    expect([html.includes(`>${tag}<`), button(html, text)]).toEqual([true, false]);
    const [link] = /\/partner\S+\/con_\w+(?=">Details<)/.exec(html) ?? [];
    expect((await partner.person.browser.open(link ?? "")).html).toContain(">1 in 7 days<");
    expect(before.html).toContain(`Refreshing fails with “${description}”`);
    if (status === "disabled") {
      await press("Enable");
      expect((await events()).at(-1)).toEqual(["enable", byPerson()]);
    } else await connect();
    expect(await refresh()).toEqual([200, undefined]);
  },
);

test("a test shop's page has no buttons without a connection, and the buttons of a stale page get 409", async () => {
  const { html } = await open();
  expect(html).toContain("Start your app’s flow and choose this shop.");
  expect(button(html, "Revoke")).toBe(false);
  await connect();
  const stale = await open();
  await press("Revoke");
  for (const text of ["Expire", "Revoke", "Disable"]) {
    const refused = await partner.person.browser.press(stale, text);
    expect([refused.status, refused.html.includes("Nothing was changed")]).toEqual([409, true]);
  }
  expect(await listed()).toEqual(["revoked"]);
});

test.each([
  ["Add 20 responses", "add"],
  ["Recategorize 5", "recategorize"],
  ["Delete one", "delete"],
])(
  "the button '%s' of a test shop requests the change only once, and the page shows the result",
  async (text, change) => {
    const before = await open();
    await partner.person.browser.press(before, text);
    const [requested] =
      await sql`SELECT change, change_by FROM directory.test_shops WHERE shop_id = ${shopId}`;
    expect(requested).toEqual({ change, change_by: byPerson() });
    const page = await open();
    expect(page.html).toContain("Changing responses…");
    expect(button(page.html, text)).toBe(false);
    expect((await partner.person.browser.press(before, text)).status).toBe(409);
    expect(await events()).toEqual([["shop_change_test", byPerson()]]);

    await sql`
      UPDATE directory.test_shops SET change = NULL, responses = 1234, last_change = ${sql.json({ change, count: 1 })}
      WHERE shop_id = ${shopId}`;
    const done = (await open()).html;
    expect(done).toContain("Responses: 1,234");
    expect(done).toContain("Responses changed.");
    await sql`
      UPDATE directory.test_shops SET last_change = ${sql.json({ change, count: 0 })} WHERE shop_id = ${shopId}`;
    expect((await open()).html).toMatch(/<p role="status">Nothing changed\./);
  },
);

test("the responses of a test shop are not changed before the shop is filled, or while it is being deleted", async () => {
  const form = await open();
  for (const state of [sql`steps = 0`, sql`steps = 1, ended_at = now()`]) {
    await sql`UPDATE directory.test_shops SET ${state} WHERE shop_id = ${shopId}`;
    expect((await open()).html).toMatch(/>Creating responses… <a href="">Reload<|>Deleting…</);
    expect((await partner.person.browser.press(form, "Add 20 responses")).status).toBe(409);
  }
  const [row] = await sql`SELECT change FROM directory.test_shops WHERE shop_id = ${shopId}`;
  expect(row).toEqual({ change: null });
});

test("a test shop's page gets 404 for any shop that is not a test shop of the app", async () => {
  await connect();
  const other = await partnerFixture(fixture);
  const form = await open();
  const { shopId: merchantsShop } = await fixture.replicas.registerShop();
  for (const path of [
    other.path(`settings/test-shops/${shopId}`),
    other.path(`settings/test-shops/${merchantsShop}`),
    other.path(`settings/test-shops/${randomBytes(8).toString("hex")}`),
  ]) {
    expect((await other.person.browser.open(path)).status).toBe(404);
    const moved = { ...form, forms: form.forms.map((each) => ({ ...each, action: path })) };
    expect((await other.person.browser.press(moved, "Revoke")).status).toBe(404);
  }
  expect(await refresh()).toEqual([200, undefined]);
});

test("a test shop can be deleted only by its own app, and the name of the deleted shop is reused", async () => {
  const { browser } = partner.person;
  expect((await open()).html).toContain(
    `<p class="fine"><a href="${partner.path("settings")}">‹ Settings</a></p>\n<h1>Test shop 1</h1>`,
  );
  const ending = await browser.open(partner.path(`settings/test-shops/${shopId}/delete`));
  expect((await browser.press(ending, "Delete")).location).toBe(partner.path("settings"));
  expect((await partner.open("settings")).html).toContain("Deleting…");
  expect((await open()).html).not.toContain('<form method="post" action="/partner');
  const jobs = await sql`
    SELECT FROM back_office_jobs.job WHERE name = 'test_shop' AND singleton_key = ${shopId}`;
  expect(jobs).toHaveLength(1);
  const other = await partnerFixture(fixture);
  expect((await other.open(`settings/test-shops/${shopId}/delete`)).status).toBe(404);
  const create = async () => browser.press(await partner.open("settings"), "Create test shop");
  await create();
  await sql`DELETE FROM directory.memberships WHERE shop_id = ${shopId}`;
  await sql`DELETE FROM directory.shops WHERE id = ${shopId}`;
  await create();
  const names = (await partner.open("settings")).html.match(/Test shop \d/g);
  expect(names?.toSorted()).toEqual(["Test shop 1", "Test shop 2"]);
});

test("a create form sent twice creates one test shop, and an app with five test shops has no form", async () => {
  const own = await partnerFixture(fixture);
  const { browser } = own.person;
  const shops = () =>
    sql`SELECT FROM directory.test_shops WHERE client_id = ${own.client.clientId}`;
  const form = await own.open("settings");
  const answers = await Promise.all([1, 2].map(() => browser.press(form, "Create test shop")));
  const answered = answers.map(({ status }) => status).toSorted();
  expect(answered).toEqual([303, expect.toBeOneOf([403, 409])]);
  expect(await shops()).toHaveLength(1);
  expect((await own.open("settings")).html).toContain("Creating responses…");
  for (let made = 1; made < 5; made++)
    await browser.press(await own.open("settings"), "Create test shop");
  const { html } = await own.open("settings");
  expect(html).toContain("You can have up to five test shops.");
  expect(button(html, "Create test shop")).toBe(false);
});
