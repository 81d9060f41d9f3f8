import { AUDIT_ACTIONS } from "@partner-connect/audit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { en } from "../merchant-page/texts/en.ts";
import type { MerchantBrowser, Page } from "../testing/merchant-browser.ts";
import { type MerchantFixture, merchantFixture, type TestMerchant } from "../testing/merchant-fixture.ts";

let fixture: MerchantFixture;
let ada: TestMerchant;
let shopId: string;
let browser: MerchantBrowser;

beforeAll(async () => {
  fixture = await merchantFixture();
});
afterAll(() => fixture?.replicas.stop());

const path = () => `/oauth/connections/${shopId}/history`;
/** The first line of each event that is shown. */
const told = ({ html }: Page) =>
  [...html.matchAll(/<li class="row"><div><p>(.*?)<\/p>/g)].map(([, text]) => text?.replaceAll(/<[^>]*>/g, ""));

async function record(
  event: string,
  more: { actor?: string; at?: Date; clientId?: string | null; details?: object } = {},
) {
  const { actor = "operator:otto of ops", at = new Date(), clientId = fixture.client.clientId, details = {} } = more;
  await fixture.replicas.sql`
    INSERT INTO oauth.audit_log (shop_id, connection_id, client_id, event, actor, at, details, ip)
    VALUES (${shopId}, ${clientId && "con_1"}, ${clientId}, ${event}, ${actor}, ${at}, ${JSON.stringify(details)}::text::jsonb, '198.51.100.7')`;
}

async function ownersShop(): Promise<void> {
  ada = await fixture.registerMerchant();
  shopId = await fixture.registerShop("Fern & Field", "standard", ada);
  await fixture.replicas.sql`UPDATE directory.memberships SET role = 'owner' WHERE shop_id = ${shopId}`;
  browser = fixture.browser();
  await fixture.signIn(browser, await browser.open("/oauth/sign-in"), ada);
}

describe("what happened with a shop", () => {
  test("is told from the audit log, the newest first, with who did it and the exact time", async () => {
    await ownersShop();
    const now = new Date();
    const at = (minute: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1, 0, minute));
    await record("approve", { at: at(1), actor: `merchant:${ada.id}`, details: { scope: ["responses:read"] } });
    await record("exchange", { at: at(2), actor: `client:${fixture.client.clientId}` });
    await record("disable", { at: at(3) });
    await record("member_invite", {
      at: at(4),
      actor: `merchant:${ada.id}`,
      clientId: null,
      details: { email: "carl@new.example" },
    });
    await record("response_import", { at: at(5) });
    await record("revoke", { at: at(6), actor: "system" });
    const page = await browser.open(path(), { "accept-language": "en-GB" });
    expect(told(page)).toEqual([
      "Lookout was disconnected",
      "carl@new.example was invited",
      "Lookout was paused",
      "Lookout was connected",
      "Lookout was approved",
    ]);
    expect(page.html).toMatch(/, 00:01 UTC<\/time> · by <bdi>Ada<\/bdi>/);
    expect(page.html).toContain("Allowed to: Read survey responses and questions");
    expect(page.html).toMatch(/00:02 UTC<\/time> · by <bdi>Lookout<\/bdi>.*00:01/s);
    expect(page.html).toMatch(/00:03 UTC<\/time> · by us/);
    expect(page.html).toMatch(/00:06 UTC<\/time> · by itself/);
    expect(page.html).not.toMatch(/otto of|198\.51/);
  });

  test("can be filtered by kind and app; what is not known counts as not filtered", async () => {
    await ownersShop();
    const other = await fixture.replicas.registerClient();
    await fixture.replicas.sql`UPDATE directory.clients SET name = 'Beacon' WHERE client_id = ${other.clientId}`;
    await fixture.replicas.sql`
      INSERT INTO oauth.connections (shop_id, client_id, status, grant_id, scope, merchant_id, connected_at)
      VALUES (${shopId}, ${other.clientId}, 'connected', 'g', '{responses:read}', ${ada.id}, now())`;
    await record("exchange");
    await record("exchange", { clientId: other.clientId });
    await record("member_remove", { clientId: null, details: { email: "carl@new.example" } });
    const shown = async (query: string) => told(await browser.open(`${path()}?${query}`)).length;
    expect([await shown(""), await shown("show=apps"), await shown("show=people")]).toEqual([3, 2, 1]);
    expect(told(await browser.open(`${path()}?app=${other.clientId}`))).toEqual(["Beacon was connected"]);
    expect([await shown("show=x&app=y&before=z"), await shown("before=1.aud_1")]).toEqual([3, 3]);
  });

  test("stands on pages of fifty, which neither repeat an event nor leave one out", async () => {
    await ownersShop();
    const at = new Date(Date.now() - 3_600_000);
    for (let number = 0; number < 120; number += 1) await record(number % 2 ? "disable" : "enable", { at });
    const seen: string[] = [];
    let next: string | null = path();
    const pages: number[] = [];
    while (next !== null) {
      const page: Page = await browser.open(next);
      const lines = told(page);
      pages.push(lines.length);
      seen.push(...lines.map(String));
      next = /<a class="button" href="([^"]*)" rel="next">/.exec(page.html)?.[1]?.replaceAll("&amp;", "&") ?? null;
    }
    expect(pages).toEqual([50, 50, 20]);
    expect(seen.filter((line) => line.includes("paused"))).toHaveLength(60);
  });

  test("is of the last 90 days, and says so where there is nothing", async () => {
    await ownersShop();
    await record("revoke", { at: new Date(Date.now() - 91 * 24 * 3_600_000) });
    const page = await browser.open(path());
    expect(told(page)).toEqual([]);
    expect(page.html).toContain("Nothing happened in the last 90 days.");
  });

  test("is for the shop's own people; who was invited is for owners alone", async () => {
    await ownersShop();
    await record("member_invite", { clientId: null, details: { email: "carl@new.example" } });
    await record("exchange");
    const member = await fixture.registerMerchant();
    const theirs = fixture.browser();
    await fixture.signIn(theirs, await theirs.open("/oauth/sign-in"), member);
    expect((await theirs.open(path())).status).toBe(404);
    await fixture.replicas
      .sql`INSERT INTO directory.memberships (shop_id, merchant_id, role) VALUES (${shopId}, ${member.id}, 'member')`;
    for (const query of ["", "?show=people"]) {
      expect(told(await theirs.open(path() + query))).toEqual(["Lookout was connected"]);
    }
    expect((await fixture.browser().open(path())).status).toBe(303);
  });
});

describe("what happened with an account", () => {
  test("is told to its merchant alone: sign-ins with the address that they came from", async () => {
    await ownersShop();
    const page = await browser.open("/oauth/account/history");
    expect(told(page)).toEqual(["Signed in"]);
    expect(page.html).toMatch(/by <bdi>Ada<\/bdi> · from 10\./);
    const other = await fixture.registerMerchant();
    const theirs = fixture.browser();
    await fixture.signIn(theirs, await theirs.open("/oauth/sign-in"), other);
    expect(told(await theirs.open("/oauth/account/history"))).toHaveLength(1);
    expect((await fixture.browser().open("/oauth/account/history")).status).toBe(303);
  });
});

test("each event of a merchant or a member is told, or is named here as one that is not", () => {
  const { account, people } = en.history;
  // What concerns no merchant any more, everybody at once, or a name alone.
  const untold = ["merchant_create", "merchant_erase", "merchant_rename_passkey", "merchant_end_all_sessions"];
  const events = AUDIT_ACTIONS.filter((action) => /^(merchant|member)_/.test(action));
  const told = new Set([...Object.keys(account), ...Object.keys(people)]);
  expect(events.filter((action) => !told.has(action))).toEqual(untold);
});
