import { addWebhook, parseWebhookKeys } from "@partner-connect/connections/webhooks";
import { waitingSessions } from "@partner-connect/database/testing";
import { removeClientMember } from "@partner-connect/directory";
import { beforeEach, expect, test } from "vitest";
import type { Page } from "../testing/merchant-browser.ts";
import { suiteFixture } from "../testing/merchant-fixture.ts";
import { type PartnerFixture, partnerFixture } from "../testing/partner-fixture.ts";
import { exchangeCode } from "../testing/token-calls.ts";

const MAKE_SHOP = "Create test shop";
const MAKE_SECRET = "Add a second secret";
const operator = { name: "operator:test" };

const WEBHOOK_KEY = "a-key-of-at-least-32-characters....";

const fixture = await suiteFixture({ env: { WEBHOOK_KEY } });
const { sql } = fixture.replicas;
let partner: PartnerFixture;
let shopId: string;
let connectionId: string;
let webhookId: string;

/** A client with two members, an endpoint, and a test shop that is filled and connected. */
beforeEach(async () => {
  partner = await partnerFixture(fixture);
  await partner.join();
  const { replicas } = fixture;
  const { clientId } = partner.client;
  await partner.person.browser.press(await partner.open("settings"), MAKE_SHOP);
  const [shop] = await replicas.sql<{ shop_id: string }[]>`
    UPDATE directory.test_shops SET steps = 1, responses = 9
    WHERE client_id = ${clientId} RETURNING shop_id`;
  shopId = shop?.shop_id ?? "";
  const approval = { clientId, shopId, merchantId: partner.person.id };
  const code = await replicas.approveAndIssueCode(approval);
  await exchangeCode(replicas.app(), partner.client, code);
  connectionId = String((await fixture.connectionOf(shopId, clientId))?.["id"]);
  const wanted = { clientId, url: "https://partner.example/hooks" };
  webhookId = (await addWebhook(replicas.sql, wanted, parseWebhookKeys(WEBHOOK_KEY), operator))
    .webhook.id;
});

const second = async () =>
  void (await partner.person.browser.press(await partner.open("settings"), MAKE_SECRET));
const shop = () => `settings/test-shops/${shopId}`;

/** Everything that the client's members can change. */
const stateNow = async () => {
  const { clientId } = partner.client;
  return await Promise.all([
    sql`SELECT created_at, expires_at FROM directory.client_secrets WHERE client_id = ${clientId} ORDER BY created_at`,
    sql`SELECT shop_id, change, ended_at FROM directory.test_shops WHERE client_id = ${clientId}`,
    sql`SELECT status, disabled, last_used_at FROM oauth.connections WHERE client_id = ${clientId}`,
    sql`SELECT id, status, secrets FROM oauth.webhooks WHERE client_id = ${clientId}`,
    sql`SELECT data FROM worker_jobs.job WHERE name = 'webhook_test' AND data ->> 'client_id' = ${clientId}`,
  ]);
};

const TYPED = { url: "https://8.8.8.8/hooks" };
const FORMS: [button: string, section: () => string, before?: () => Promise<void>][] = [
  [MAKE_SECRET, () => "settings"],
  ["Revoke old secret", () => "settings/secrets/end", second],
  ["Replace new secret", () => "settings/secrets/replace", second],
  ["Disconnect", () => `connections/${connectionId}/disconnect`],
  ["Send test", () => "webhooks"],
  ["Pause", () => "webhooks"],
  ["Add endpoint", () => "webhooks"],
  ["Remove", () => `webhooks/${webhookId}/remove`],
  ["Replace secret", () => `webhooks/${webhookId}/replace`],
  [MAKE_SHOP, () => "settings"],
  ["Recategorize 5", shop],
  ["Expire", shop],
  ["Disable", shop],
  ["Revoke", shop],
  ["Delete", () => `${shop()}/delete`],
];

test.each(FORMS)(
  "the form '%s' changes no data with a forged token or during a removal of the member",
  async (button, section, before) => {
    await before?.();
    const { browser, id: merchantId } = partner.person;
    const form = await partner.open(section());
    const state = await stateNow();
    const refused = await browser.press(form, button, { ...TYPED, token: "forged" });
    expect([refused.status, refused.html]).toEqual([403, expect.stringMatching(/out of date/)]);
    expect(await stateNow()).toEqual(state);
    let answer: Promise<Page> | undefined;
    await sql.begin(async (held) => {
      await held`DELETE FROM directory.client_members WHERE merchant_id = ${merchantId}`;
      answer = browser.press(form, button, TYPED);
      await expect.poll(() => waitingSessions(sql)).toBeGreaterThan(0);
    });
    expect((await answer)?.status).toBe(404);
    expect(await stateNow()).toEqual(state);
    for (const each of ["", "errors", section()])
      expect((await partner.open(each)).status).toBe(404);
  },
);

test("if a member is removed while creating a test shop, the member keeps no membership of the test shop", async () => {
  const { browser, id: merchantId } = partner.person;
  const form = await partner.open("settings");
  const { clientId } = partner.client;
  const removal = removeClientMember(sql, { clientId, merchantId }, operator);
  const [answer] = await Promise.all([browser.press(form, MAKE_SHOP), removal]);
  expect([303, 404]).toContain(answer.status);
  expect(
    await sql`SELECT FROM directory.memberships WHERE merchant_id = ${merchantId}`,
  ).toHaveLength(0);
});
