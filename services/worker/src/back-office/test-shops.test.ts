import { approve, exchange } from "@partner-connect/connections";
import { waitingSessions } from "@partner-connect/database/testing";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { createShop, endTestShop, requestTestShopChange, testShopsOf } from "@partner-connect/directory";
import { onboardClient, onboardMerchant } from "@partner-connect/directory/testing";
import { createLogger, createMetrics } from "@partner-connect/service-runtime";
import { importResponses } from "@partner-connect/survey-data";
import { generateResponses } from "@partner-connect/survey-data/generated";
import { afterAll, expect, test } from "vitest";
import { startJobs } from "../jobs.ts";
import { startWorker } from "../testing.ts";
import { testShopKinds } from "./test-shops.ts";

const database = await suiteDatabase();
const sql = database.connect(database.url, { name: "test", connections: 4 });
/** Connected with the back office's role, not as the owner. */
const backOffice = database.connect(database.backOfficeUrl, { name: "back office test" });
const server = database.connect(database.authorizationServerUrl, { name: "server test", connections: 1 });
const kinds = testShopKinds(backOffice);
const [logger, { registry }] = [createLogger("test", "silent"), createMetrics("test")];
/** Without what happens each minute, which may come at any moment of a test. */
const start = () =>
  startJobs({ sql: backOffice, schema: "back_office_jobs", kinds: kinds.slice(0, 1), logger, registry });
let jobs: ReturnType<typeof start> | null = null;
afterAll(async () => {
  await jobs?.close();
});

const { id: merchantId, email: ownerEmail } = await onboardMerchant(sql);
const { clientId } = await onboardClient(sql);
const actor = { name: `merchant:${merchantId}` };

const newTestShop = async (): Promise<string> =>
  (await createShop(server, { name: "Try", plan: "standard", ownerEmail, testOf: clientId }, actor)).id;

const found = async (shopId: string) => (await testShopsOf(sql, clientId)).find((shop) => shop.shopId === shopId);

async function changesOf(shopId: string) {
  const [counts] = await sql`
    SELECT (SELECT count(*)::int FROM survey.responses WHERE shop_id = ${shopId}) AS responses,
      (SELECT count(*)::int FROM survey.responses WHERE shop_id = ${shopId} AND updated_at > s.created_at) AS later,
      (SELECT count(*)::int FROM survey.deleted_responses WHERE shop_id = ${shopId}) AS deleted,
      (SELECT count(*)::int FROM oauth.audit_log WHERE shop_id = ${shopId} AND event LIKE 'response_%') AS records
    FROM directory.shops s WHERE s.id = ${shopId}`;
  return counts;
}

test("a back office that is killed while it fills a shop is followed by another, which fills it, within two minutes", async () => {
  // The shortest that pg-boss takes; without it the job is due again after three times as long.
  await sql`UPDATE back_office_jobs.queue SET heartbeat_seconds = 10`;
  const shopId = await newTestShop();
  const one = await startWorker(database.backOfficeUrl, "back-office.main.ts");
  await sql.begin(async (holder) => {
    await holder`INSERT INTO survey.stamps (shop_id, stamp) VALUES (${shopId}, '-infinity')`;
    await expect.poll(() => waitingSessions(sql), { timeout: 30_000 }).toBeGreaterThan(0);
    one.process.kill("SIGKILL");
    await one.ended;
    // Its heartbeat ended a minute ago.
    await sql`UPDATE back_office_jobs.job SET heartbeat_on = now() - interval '1 minute' WHERE state = 'active'`;
  });
  const other = await startWorker(database.backOfficeUrl, "back-office.main.ts");
  await expect.poll(async () => (await found(shopId))?.responses, { timeout: 100_000, interval: 500 }).toBe(2000);
  other.process.kill();
  expect(await other.ended).toBe(0);
}, 120_000);

test("a test shop is filled, changes every minute while its client reads it, and is erased when it has ended", async () => {
  jobs = start();
  const shopId = await newTestShop();
  await expect.poll(async () => (await found(shopId))?.responses, { timeout: 20_000 }).toBe(2000);
  expect(await changesOf(shopId)).toEqual({ responses: 2000, later: 0, deleted: 0, records: 1 });

  const minute = async () => await kinds[1]?.run({ id: "", createdAt: new Date() } as never);
  await minute();
  expect(await changesOf(shopId), "nobody reads it").toMatchObject({ responses: 2000, deleted: 0 });
  const key = { shopId, clientId, grantId: "g" };
  await approve(sql, { ...key, merchantId, scope: ["responses:read"] }, actor);
  await exchange(sql, { ...key, refreshTokenHash: Buffer.from("g") }, { name: `client:${clientId}` });
  for (let each = 0; each < 3; each++) await minute();
  const changed = await changesOf(shopId);
  expect(changed).toMatchObject({ deleted: 2000 + 3 * 2 - Number(changed?.["responses"]), records: 1 });
  expect(changed?.["deleted"]).toBeGreaterThanOrEqual(3);
  expect(changed?.["later"]).toBeGreaterThanOrEqual(3);

  await endTestShop(server, { clientId, shopId }, actor);
  await expect.poll(() => changesOf(shopId), { timeout: 20_000 }).toBeUndefined();
  expect(await sql`SELECT FROM oauth.connections WHERE shop_id = ${shopId}`).toHaveLength(0);
  const [{ names } = { names: null }] = await sql<{ names: number | null }[]>`
    SELECT count(*)::int AS names FROM oauth.audit_log WHERE shop_id = ${shopId} AND details ? 'name'`;
  expect(names, "names leave the audit log").toBe(0);
});

test("what a partner requests is done to a test shop's responses, on record, and counted", async () => {
  jobs ??= start();
  const shopId = await newTestShop();
  await expect.poll(async () => (await found(shopId))?.responses, { timeout: 20_000 }).toBe(2000);
  const asked = async (change: "add" | "recategorize" | "delete") => {
    await server.begin(async (tx) => {
      expect(await requestTestShopChange(tx, { shopId, clientId }, change, actor)).toBe(true);
      expect(await requestTestShopChange(tx, { shopId, clientId }, change, actor), "one at a time").toBe(false);
    });
    await expect.poll(async () => (await found(shopId))?.change, { timeout: 20_000 }).toBeNull();
    const shop = await found(shopId);
    return [shop?.responses, shop?.lastChange];
  };
  expect(await asked("add")).toEqual([2020, { change: "add", count: 20 }]);
  expect(await asked("recategorize")).toEqual([2020, { change: "recategorize", count: 5 }]);
  expect(await asked("delete")).toEqual([2019, { change: "delete", count: 1 }]);
  const records = await sql`
    SELECT event, actor FROM oauth.audit_log WHERE shop_id = ${shopId} AND event LIKE 'response_%' AND actor <> 'system' ORDER BY id`;
  expect(records.map((record) => [record["event"], record["actor"]])).toEqual(
    ["response_import", "response_recategorize", "response_delete"].map((event) => [event, actor.name]),
  );

  await importResponses(sql, { shopId, lines: generateResponses({ count: 2962, seed: "more", to: Date.now() }) }, null);
  expect(await asked("add"), "4,981 and 20 are too many").toEqual([4981, { change: "add", count: 0 }]);
  await sql`DELETE FROM survey.responses WHERE shop_id = ${shopId}`;
  expect(await asked("recategorize")).toEqual([0, { change: "recategorize", count: 0 }]);
  expect(await asked("delete")).toEqual([0, { change: "delete", count: 0 }]);
});
