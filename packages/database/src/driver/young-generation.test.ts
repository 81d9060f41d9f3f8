import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DriverPool, openDriver } from "../pool/connect.ts";
import { freshDatabase, type TestDatabase } from "../testing.ts";

const QUERIES = 200;
const PARAMETER = 10_000;

let database: TestDatabase;
let sql: DriverPool;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  sql = openDriver(database.url, { name: "young generation test", connections: 1 });
});

afterAll(async () => {
  await sql.end();
  await database.drop();
});

setFlagsFromString("--expose-gc");
const collect: (options: { type: "minor" | "major" }) => void = runInNewContext("gc");

/** Bytes of objects in the old generation. */
function oldGeneration(): number {
  const spaces = getHeapSpaceStatistics().filter(({ space_name }) => /^(old|large_object)_space$/.test(space_name));
  return spaces.reduce((sum, space) => sum + space.space_used_size, 0);
}

/** What they leave behind when the young generation alone is collected. */
async function leftByQueries(): Promise<number> {
  collect({ type: "major" });
  const before = oldGeneration();
  for (let query = 1; query <= QUERIES; query++) {
    await sql.unsafe("SELECT length($1)", [Buffer.alloc(PARAMETER, "x").toString()], { prepare: true });
    if (query % 20 === 0) collect({ type: "minor" });
  }
  return oldGeneration() - before;
}

test("queries that have ended leave nothing in the old generation", async () => {
  await leftByQueries(); // code, and what the connection needs
  const left = await leftByQueries();
  expect(left).toBeLessThan((QUERIES * PARAMETER) / 4);
});
