import { connect } from "@partner-connect/connections/testing";
import { waitingSessions } from "@partner-connect/database/testing";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import {
  createShop,
  endTestShop,
  requestTestShopChange,
  testShopsOf,
} from "@partner-connect/directory";
import { onboardClient, onboardMerchant } from "@partner-connect/directory/testing";
import { createLogger, createMetrics } from "@partner-connect/service-runtime";
import { importResponses } from "@partner-connect/survey-data";
import { generateResponses } from "@partner-connect/survey-data/generated";
import { afterAll, expect, test, vi } from "vitest";
import { startJobs } from "../jobs.ts";
import { testShopKinds } from "./test-shops.ts";

const database = await suiteDatabase();
const { sql, backOffice } = database;
const server = database.connect(database.authorizationServerUrl, {
  name: "server test",
  connections: 1,
});
const kinds = testShopKinds(backOffice);
const start = (kinds: Parameters<typeof startJobs>[0]["kinds"]) => {
  const [logger, { registry }] = [createLogger("test", "silent"), createMetrics("test")];
  return startJobs({ sql: backOffice, schema: "back_office_jobs", kinds, logger, registry });
};
/** The jobs without the regular change, which could happen at any moment of a test. */
const jobs = start(kinds.slice(0, 1));
afterAll(() => jobs.close());

const { id: merchantId, email: ownerEmail } = await onboardMerchant(sql);
const { clientId } = await onboardClient(sql);
const actor = { name: `merchant:${merchantId}` };

const found = async (shopId: string) =>
  (await testShopsOf(sql, clientId)).find((shop) => shop.shopId === shopId);

/** A test shop that has been filled. */
async function newTestShop(): Promise<string> {
  const wanted = { name: "Try", plan: "standard", ownerEmail, testOf: clientId };
  const { id } = await createShop(server, wanted, actor);
  await expect.poll(async () => (await found(id))?.responses, { timeout: 20_000 }).toBe(2000);
  return id;
}

async function changesOf(shopId: string) {
  const [counts] = await sql`
    SELECT (SELECT count(*)::int FROM survey.responses WHERE shop_id = ${shopId}) AS responses,
      (SELECT count(*)::int FROM survey.responses WHERE shop_id = ${shopId} AND updated_at > s.created_at) AS later,
      (SELECT count(*)::int FROM survey.deleted_responses WHERE shop_id = ${shopId}) AS deleted,
      (SELECT count(*)::int FROM oauth.audit_log WHERE shop_id = ${shopId} AND event LIKE 'response_%') AS records
    FROM directory.shops s WHERE s.id = ${shopId}`;
  return counts;
}

test("a test shop gets 2,000 responses, and changes every minute while its client is connected", async () => {
  const shopId = await newTestShop();
  const filled = await changesOf(shopId);
  expect(filled).toMatchObject({ responses: 2000, later: 0, deleted: 0 });
  // The import leaves a record per step, the changes of each minute leave none.
  expect(filled?.["records"]).toBeGreaterThan(0);

  const minute = async () => await kinds[1]?.run({ id: "", createdAt: new Date() } as never);
  await minute();
  expect(await changesOf(shopId), "nobody reads it").toMatchObject({ responses: 2000, deleted: 0 });
  await connect(sql, { shopId, clientId, merchantId });
  for (let each = 0; each < 3; each++) await minute();
  const changed = await changesOf(shopId);
  expect(changed).toMatchObject({
    deleted: 2000 + 3 * 2 - Number(changed?.["responses"]),
    records: filled?.["records"],
  });
  expect(changed?.["deleted"]).toBeGreaterThanOrEqual(3);
  expect(changed?.["later"]).toBeGreaterThanOrEqual(3);
  const shared = sql`
    SELECT FROM survey.responses WHERE shop_id = ${shopId}
    GROUP BY doc::json ->> 'order_id' HAVING count(DISTINCT doc::json ->> 'email') > 1`;
  expect(await shared, "an order of two customers").toHaveLength(0);
});

test("a test shop is erased once, with its connections, after it is ended", async () => {
  const shopId = await newTestShop();
  await connect(sql, { shopId, clientId, merchantId });
  await endTestShop(server, { clientId, shopId }, actor);
  await endTestShop(server, { clientId, shopId }, actor); // changes nothing
  const ends = sql`
    SELECT actor, client_id FROM oauth.audit_log WHERE shop_id = ${shopId} AND event = 'shop_end_test'`;
  expect(await ends).toEqual([{ actor: actor.name, client_id: clientId }]);
  await expect.poll(() => changesOf(shopId), { timeout: 20_000 }).toBeUndefined();
  expect(await sql`SELECT FROM oauth.connections WHERE shop_id = ${shopId}`).toHaveLength(0);
  const [{ names } = { names: null }] = await sql<{ names: number | null }[]>`
    SELECT count(*)::int AS names FROM oauth.audit_log WHERE shop_id = ${shopId} AND details ? 'name'`;
  expect(names, "names leave the audit log").toBe(0);
});

test("a job that starts while the end of its test shop is uncommitted waits, then erases the shop", async () => {
  const shopId = await newTestShop();
  const { job } = await server.begin(async (tx) => {
    await endTestShop(tx, { clientId, shopId }, actor);
    const job = kinds[0]?.run({ data: { shop_id: shopId } } as never);
    await expect.poll(() => waitingSessions(sql), { timeout: 10_000 }).toBeGreaterThan(0);
    return { job };
  });
  expect(await job).toBe("erased");
});

test("a change that a partner requests is made to the test shop's responses, with an audit record", async () => {
  const shopId = await newTestShop();
  const asked = async (change: "add" | "recategorize" | "delete") => {
    await server.begin(async (tx) => {
      expect(await requestTestShopChange(tx, { shopId, clientId }, change, actor)).toBe(true);
      expect(
        await requestTestShopChange(tx, { shopId, clientId }, change, actor),
        "one at a time",
      ).toBe(false);
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
    ["response_import", "response_recategorize", "response_delete"].map((event) => [
      event,
      actor.name,
    ]),
  );

  await importResponses(
    sql,
    { shopId, lines: generateResponses({ count: 2962, seed: "more", to: Date.now() }) },
    null,
  );
  expect(await asked("add"), "4,981 and 20 are too many").toEqual([
    4981,
    { change: "add", count: 0 },
  ]);
  await sql`DELETE FROM survey.responses WHERE shop_id = ${shopId}`;
  expect(await asked("recategorize")).toEqual([0, { change: "recategorize", count: 0 }]);
  expect(await asked("delete")).toEqual([0, { change: "delete", count: 0 }]);
});

test("a scheduled job is queued once for all processes, even if a job of its kind was added by hand", async () => {
  const wait = Promise.withResolvers<string>();
  const run = vi.fn(() => wait.promise);
  const kind = {
    kind: "used_test_shops",
    lanes: 1,
    batch: 1,
    every: { seconds: 24 * 3600, from: 12_345 },
    run,
  };
  const processes = [start([kind]), start([kind])];
  const waiting = () => sql`
    SELECT extract(epoch FROM start_after)::int % (24 * 3600) AS at, start_after > now() AS "isNext"
    FROM back_office_jobs.job WHERE name = 'used_test_shops' AND state = 'created'`;
  await expect.poll(waiting).toHaveLength(1);
  await backOffice`SELECT back_office_jobs.add('used_test_shops', '{}')`;
  await expect.poll(() => run.mock.calls.length).toBe(1);
  expect(await waiting()).toEqual([{ at: 12_345, isNext: true }]);
  wait.resolve("changed");
  await Promise.all(processes.map((each) => each.close()));
});
