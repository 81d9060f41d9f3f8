import { afterAll, beforeAll, expect, test } from "vitest";
import { type DriverPool, openDriver } from "../pool/connect.ts";
import { freshDatabase, type TestDatabase } from "../testing.ts";

let database: TestDatabase;
let sql: DriverPool;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  sql = openDriver(database.url, { name: "cancelled query test", connections: 1 });
});

afterAll(async () => {
  await sql.end();
  await database.drop();
});

const who = (asked: string, seconds = 0) => sql.unsafe(`SELECT '${asked}' AS who FROM pg_sleep(${seconds})`);
const answer = (query: PromiseLike<unknown[]>) =>
  query.then(
    ([row]) => row,
    (error) => error.code,
  );

test("a query that is cancelled behind others keeps its place", async () => {
  await who("all");
  const [first, second, third] = [who("a", 0.2), who("b", 60), who("c")];
  const answers = Promise.all([answer(first), answer(second), answer(third)]);
  // All three are on the wire, and the first is under way.
  await new Promise((resolve) => setImmediate(resolve));
  second.cancel();
  expect(await answers).toEqual([{ who: "a" }, "57014", { who: "c" }]);
});

test("a query that is cancelled before it was sent leaves the connection to the others", async () => {
  const early = who("early");
  const refused = answer(early);
  early.cancel();
  expect(await refused).toBe("57014");
  expect(await answer(who("next"))).toEqual({ who: "next" });
});
