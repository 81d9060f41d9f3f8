import { afterAll, beforeAll, expect, test } from "vitest";
import { type DriverPool, openDriver } from "../pool/connect.ts";
import { freshDatabase, type TestDatabase } from "../testing.ts";

let database: TestDatabase;
let sql: DriverPool;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  sql = openDriver(database.url, { name: "unsendable query test", connections: 1 });
});

afterAll(async () => {
  await sql.end();
  await database.drop();
});

const at = (value: unknown) => sql`SELECT ${value as Date}::timestamptz AS at`;
const who = (asked: string) => sql`SELECT ${asked}::text AS who`;

test("a query that can't be sent fails alone, and those around it are answered", async () => {
  await Promise.all([at(new Date(0)), who("all")]);
  const queries = [who("a"), at(new Date(Number.NaN)), who("b"), at(undefined), who("c"), at(new Date(1000))];
  const settled = await Promise.allSettled(queries);
  expect(settled.map((outcome) => (outcome.status === "fulfilled" ? outcome.value[0] : outcome.reason.name))).toEqual([
    { who: "a" },
    "RangeError",
    { who: "b" },
    "Error",
    { who: "c" },
    { at: new Date(1000) },
  ]);
});

test("so it is when it has the connection for itself", async () => {
  await expect(at(undefined)).rejects.toMatchObject({ code: "UNDEFINED_VALUE" });
  expect(await who("next")).toEqual([{ who: "next" }]);
  const unprepared = sql`SELECT ${new Date(Number.NaN)}::timestamptz AS never_prepared`;
  await expect(unprepared).rejects.toThrow(RangeError);
  expect(await who("last")).toEqual([{ who: "last" }]);
});
