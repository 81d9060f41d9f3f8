import { connectDatabase, type Sql, transaction } from "@partner-connect/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { takeStamp } from "./take-stamp.ts";
import { type TestSurvey, testSurvey } from "./testing.ts";

let survey: TestSurvey;
let holder: Sql;

beforeAll(async () => {
  survey = await testSurvey();
  holder = connectDatabase(survey.url, { name: "holder", connections: 1 });
});
afterAll(async () => {
  await holder.end();
  await survey.close();
});

const WRITES = 400;

/** The dead versions of the shops' locks that Postgres has counted, as the alert reads them. */
async function deadVersions(): Promise<number> {
  const shopId = await survey.newShop();
  for (let i = 0; i < WRITES; i++) await transaction(survey.sql, (inside) => takeStamp(inside, shopId, []));
  const [row] = await survey.sql<{ dead: number }[]>`
    SELECT n_dead_tup::int AS dead FROM pg_stat_user_tables WHERE relid = 'survey.stamps'::regclass`;
  return row?.dead ?? 0;
}

test("a snapshot that is kept lets dead versions of a shop's lock pile up, where PostgresOldSnapshot sees them", async () => {
  // Each connection says by itself what it made and what it cleared, so for a moment the count may be too high.
  await expect.poll(deadVersions, { timeout: 60_000 }).toBeLessThan(WRITES / 2);
  const released = Promise.withResolvers<void>();
  const held = holder.begin(async (inside) => {
    await inside`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`;
    await inside`SELECT FROM pg_class LIMIT 1`;
    await released.promise;
  });
  try {
    await expect.poll(deadVersions, { timeout: 60_000 }).toBeGreaterThan(WRITES);
  } finally {
    released.resolve();
    await held;
  }
}, 120_000);
