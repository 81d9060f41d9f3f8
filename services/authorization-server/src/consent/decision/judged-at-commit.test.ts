import { endSessions, removeMember, setMerchantStatus } from "@partner-connect/directory";
import { freshRedis, keysOf, type TestRedis } from "@partner-connect/service-runtime/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { atCommit } from "../../testing/at-commit.ts";
import type { Page } from "../../testing/merchant-browser.ts";
import { type MerchantFixture, merchantFixture, offered, type TestMerchant } from "../../testing/merchant-fixture.ts";
import { approvalWaits } from "../../testing/waiting-approval.ts";

let redis: TestRedis;
let fixture: MerchantFixture;

beforeAll(async () => {
  redis = await freshRedis(process.env["TEST_REDIS_URL"]);
  fixture = await merchantFixture({ replicas: 2, redisUrl: redis.url });
});
afterAll(async () => {
  await fixture?.replicas.stop();
  await redis?.drop();
});

const operator = { name: "operator:test" };

interface Row {
  readonly ada: TestMerchant;
  readonly shopId: string;
}

const ENDS: [string, (row: Row) => Promise<unknown>][] = [
  [
    "was removed from the shop",
    ({ ada, shopId }) => removeMember(fixture.replicas.sql, { shopId, merchantId: ada.id }, operator),
  ],
  ["was disabled", ({ ada }) => setMerchantStatus(fixture.replicas.sql, ada.email, "disabled", operator)],
  ["ended all sessions", ({ ada }) => endSessions(fixture.replicas.sql, ada.id, operator)],
];

/** The advisory lock at which a commit waits. */
const GATE = 7;

/** What was approved for the shop, ever. */
async function approvals({ shopId }: Row) {
  const { sql } = fixture.replicas;
  const connection = await fixture.connectionOf(shopId);
  const events = await sql`SELECT event FROM oauth.audit_log WHERE shop_id = ${shopId} AND event = 'approve'`;
  return { grant: connection?.["grant_id"], events: events.length };
}

const codes = async () => (await keysOf(fixture.replicas.redis, "oauth:AuthorizationCode:*")).length;

describe.each(ENDS)("an approval by a merchant who %s while it waited", (_, end) => {
  test.each([
    ["for the row of a connection", true],
    ["for another approval's new row", false],
  ])("%s is not committed, and leads to no code", async (_, isConnected) => {
    const { sql } = fixture.replicas;
    const [ada, ben] = [await fixture.registerMerchant(), await fixture.registerMerchant()];
    const shopId = await fixture.registerShop("Fern & Field", "standard", ada, ben);
    const row = { ada, shopId };
    const browser = fixture.browser();
    const approve = async () => {
      const { page } = await fixture.consent(browser, ada);
      return () => browser.press(page, "Approve", { shop: offered(page, "Fern & Field") });
    };
    if (isConnected) expect((await (await approve())()).status).toBe(302);
    const before = [await approvals(row), await codes()];
    const again = await approve();
    let answer: Promise<Page> | undefined;
    await sql
      .begin(async (held) => {
        if (isConnected) await held`SELECT FROM oauth.connections WHERE shop_id = ${shopId} FOR UPDATE`;
        else
          await held`INSERT INTO oauth.connections (shop_id, client_id, status, grant_id, scope, merchant_id)
            VALUES (${shopId}, ${fixture.client.clientId}, 'approved', 'g', '{responses:read}', ${ben.id})`;
        answer = again();
        await approvalWaits(sql);
        await end(row);
        if (!isConnected) throw new Error("given up");
      })
      .catch((error: Error) => expect(error.message).toBe("given up"));
    const page = (await answer) ?? expect.fail("it was not sent");
    expect(page.location ?? "").not.toContain("code=");
    expect([await approvals(row), await codes()]).toEqual(before);
    expect([303, 422]).toContain(page.status);
  });

  // Citus takes no triggers on tables that are distributed.
  test.skipIf(process.env["CITUS_URL"])("at its very commit leads to no code, and what it approved ends", async () => {
    const { sql } = fixture.replicas;
    const [ada, ben] = [await fixture.registerMerchant(), await fixture.registerMerchant()];
    const shopId = await fixture.registerShop("Fern & Field", "standard", ada, ben);
    const before = await codes();
    const browser = fixture.browser();
    const { page } = await fixture.consent(browser, ada);
    const mend = await atCommit(sql, `PERFORM pg_advisory_xact_lock_shared(${GATE})`);
    const isCommitting = async () =>
      await sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`;
    let answer: Promise<Page> | undefined;
    await sql.begin(async (held) => {
      await held`SELECT pg_advisory_xact_lock(${GATE})`;
      answer = browser.press(page, "Approve", { shop: offered(page, "Fern & Field") });
      await expect.poll(isCommitting, { timeout: 10_000, interval: 5 }).toHaveLength(1);
      await end({ ada, shopId });
    });
    const { status } = (await answer?.finally(mend)) ?? expect.fail("it was not sent");
    expect([303, 404]).toContain(status);
    expect(await codes()).toBe(before);
    expect(await fixture.connectionOf(shopId)).toMatchObject({ status: "revoked" });
  });
});
