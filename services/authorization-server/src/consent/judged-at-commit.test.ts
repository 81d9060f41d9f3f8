import { waitingSessions } from "@partner-connect/database/testing";
import { endSessions, removeMember, setMerchantStatus } from "@partner-connect/directory";
import { keysOf } from "@partner-connect/service-runtime/testing";
import { describe, expect, test } from "vitest";
import { atCommit } from "../testing/at-commit.ts";
import type { Page } from "../testing/merchant-browser.ts";
import { offered, suiteFixture, type TestMerchant } from "../testing/merchant-fixture.ts";

const fixture = await suiteFixture({ replicas: 2, ownRedis: true, env: { LOG_LEVEL: "info" } });
const { sql } = fixture.replicas;

const operator = { name: "operator:test" };

interface Row {
  readonly ada: TestMerchant;
  readonly shopId: string;
}

/** Changes that end the right to approve, each as a statement and as the function that makes it. */
const ENDS: [string, string, (row: Row) => Promise<unknown>][] = [
  [
    "was removed from the shop",
    "DELETE FROM directory.memberships WHERE merchant_id = $1",
    ({ ada, shopId }) => removeMember(sql, { shopId, merchantId: ada.id }, operator),
  ],
  [
    "was disabled",
    "UPDATE directory.merchants SET status = 'disabled' WHERE id = $1",
    ({ ada }) => setMerchantStatus(sql, ada.email, "disabled", operator),
  ],
  [
    "ended all sessions",
    "UPDATE directory.merchants SET session_epoch = session_epoch + 1 WHERE id = $1",
    ({ ada }) => endSessions(sql, ada.id, operator),
  ],
];

async function approvals({ shopId }: Row) {
  const connection = await fixture.connectionOf(shopId);
  const events =
    await sql`SELECT event FROM oauth.audit_log WHERE shop_id = ${shopId} AND event = 'approve'`;
  return { grant: connection?.["grant_id"], events: events.length };
}

const codes = async () =>
  (await keysOf(fixture.replicas.redis, "oauth:AuthorizationCode:*")).length;

async function askedOf(clientId = fixture.client.clientId) {
  const [ada, ben] = [await fixture.registerMerchant(), await fixture.registerMerchant()];
  const shopId = await fixture.registerShop("Fern & Field", "standard", ada, ben);
  const browser = fixture.browser();
  const asked = async () => {
    const { page } = await fixture.consent(browser, ada, { clientId });
    return () => browser.press(page, "Approve", { shop: offered(page, "Fern & Field") });
  };
  return { ada, shopId, asked, approve: await asked() };
}

describe.each(ENDS)("if a merchant %s", (_, end, endByFunction) => {
  test("an approval that waited for this change is not committed and issues no code", async () => {
    const row = await askedOf();
    const before = [await approvals(row), await codes()];
    let answer: Promise<Page> | undefined;
    await sql.begin(async (held) => {
      await held.unsafe(end, [row.ada.id]);
      answer = row.approve();
      await expect.poll(() => waitingSessions(sql)).toBeGreaterThan(0);
    });
    const page = (await answer) ?? expect.fail("it was not sent");
    expect(page.location ?? "").not.toContain("code=");
    expect([await approvals(row), await codes()]).toEqual(before);
    expect([303, 422]).toContain(page.status);
  });

  test("an approval whose commit has begun succeeds, because the change waits for the commit", async () => {
    const row = await askedOf();
    const mend = await atCommit(sql, "PERFORM pg_sleep(0.5)");
    const answer = row.approve();
    const isCommitting = async () =>
      await sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
    await expect.poll(isCommitting, { timeout: 10_000, interval: 5 }).toHaveLength(1);
    await endByFunction(row);
    // The change that ends the right returned after the commit.
    expect((await approvals(row)).events).toBe(1);
    expect((await answer.finally(mend)).location).toContain("code=");
  });
});

const CANNOT = "This app can’t be connected";

test.each([
  ["disabled", "status = 'disabled'", CANNOT, "client_disabled"],
  [
    "left without the redirect URI",
    "redirect_uris = '{https://partner.example/other}'",
    "no longer registered",
    "invalid_redirect_uri",
  ],
  [
    "left without the grant type",
    "grant_types = '{refresh_token}'",
    CANNOT,
    "grant_type_not_allowed",
  ],
  ["left without the requested scope", "scope = '{}'", CANNOT, "invalid_scope"],
])(
  "if the client was %s while an approval waited, the approval gets 400 and changes nothing",
  async (_, change, text, reason) => {
    const { clientId } = await fixture.replicas.registerClient();
    const row = await askedOf(clientId);
    expect((await row.approve()).location).toContain("code=");
    const connection = await fixture.connectionOf(row.shopId, clientId);
    const approveAgain = await row.asked();
    const before = await codes();
    let answer: Promise<Page> | undefined;
    await sql.begin(async (held) => {
      await held`SELECT FROM directory.memberships WHERE shop_id = ${row.shopId} FOR UPDATE`;
      answer = approveAgain();
      await expect.poll(() => waitingSessions(sql)).toBeGreaterThan(0);
      await held.unsafe(`UPDATE directory.clients SET ${change} WHERE client_id = $1`, [clientId]);
    });
    const page = (await answer) ?? expect.fail("it was not sent");
    expect([page.status, page.location]).toEqual([400, null]);
    expect(page.html).toContain(text);
    expect(await fixture.connectionOf(row.shopId, clientId)).toEqual(connection);
    expect(await codes()).toBe(before);
    expect(fixture.replicas.records.at(-1)).toMatchObject({ status: 400, reason });
  },
);
