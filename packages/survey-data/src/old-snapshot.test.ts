import { connectDatabase, type Sql, transaction } from "@partner-connect/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { takeStamp } from "./take-stamp.ts";
import { type TestSurvey, testSurvey } from "./testing.ts";

let survey: TestSurvey;
let nodes: Sql[];
let holders: Sql[];

beforeAll(async () => {
  survey = await testSurvey();
  const connect = (url: string) => connectDatabase(url, { name: "a node", connections: 1 });
  nodes = survey.nodes.map(connect);
  holders = survey.nodes.map(connect);
});
afterAll(async () => {
  for (const node of [...nodes, ...holders]) await node.end();
  await survey.close();
});

const WRITES = 400;

/** The dead versions of the shops' locks that Postgres has counted, as the alert reads them. */
async function deadVersions(): Promise<number> {
  const shopId = await survey.newShop();
  for (let i = 0; i < WRITES; i++) await transaction(survey.sql, (inside) => takeStamp(inside, shopId, []));
  let most = 0;
  for (const node of nodes) {
    const rows = await node<{ dead: number }[]>`
      SELECT n_dead_tup::int AS dead FROM pg_stat_user_tables WHERE schemaname = 'survey' AND relname ~ '^stamps(_[0-9]+)?$'`;
    most = Math.max(most, ...rows.map(({ dead }) => dead));
  }
  return most;
}

test("a snapshot that is kept lets dead versions of a shop's lock pile up, where PostgresOldSnapshot sees them", async () => {
  // Each connection says by itself what it made and what it cleared, so for a moment the count may be too high.
  await expect.poll(deadVersions, { timeout: 60_000 }).toBeLessThan(WRITES / 2);
  const released = Promise.withResolvers<void>();
  const held = holders.map((node) =>
    node.begin(async (inside) => {
      await inside`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`;
      await inside`SELECT FROM pg_class LIMIT 1`;
      await released.promise;
    }),
  );
  try {
    await expect.poll(deadVersions, { timeout: 60_000 }).toBeGreaterThan(WRITES);
  } finally {
    released.resolve();
    await Promise.all(held);
  }
}, 120_000);
