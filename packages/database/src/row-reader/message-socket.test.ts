import { afterAll, beforeAll, expect, test } from "vitest";
import { type DriverPool, openDriver } from "../pool/connect.ts";
import { freshDatabase, type TestDatabase } from "../testing.ts";

let database: TestDatabase;
let sql: DriverPool;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  sql = openDriver(database.url, { name: "message socket test", connections: 2, reuseReadBuffer: true });
});

afterAll(async () => {
  await sql.end();
  await database.drop();
});

/** The texts of a statement's one column, taken as the reused buffer has them. */
async function texts(count: number, length: number, seed: number): Promise<string[]> {
  const rows: string[] = [];
  const query = sql.unsafe(
    "SELECT left(repeat(md5(($3::int + i)::text), ceil($2::int / 32.0)::int), $2::int) FROM generate_series(1, $1::int) i",
    [count, length, seed],
    { prepare: true },
  );
  await query.raw().forEach(([row]) => void rows.push(String(row)));
  return rows;
}

test("rows of every size arrive whole, in messages that fill the buffer's end and that outgrow it", async () => {
  for (const length of [0, 1, 31, 700, 16_000, 131_000, 131_072, 400_000, 3_000_000]) {
    const count = Math.max(2, Math.min(2000, Math.floor(4_000_000 / (length + 1))));
    const [plain] = await sql<{ md5: string }[]>`
      SELECT md5(string_agg(left(repeat(md5((7 + i)::text), ceil(${length}::int / 32.0)::int), ${length}::int), ',' ORDER BY i))
      FROM generate_series(1, ${count}) i`;
    const rows = await texts(count, length, 7);
    const [again] = await sql<{ md5: string }[]>`SELECT md5(${rows.join(",")})`;
    expect([length, rows.length, again?.md5]).toEqual([length, count, plain?.md5]);
  }
});

test("results of statements that are under way together don't mix", async () => {
  const runs = Array.from({ length: 60 }, (_, i) => texts(200, 500 + i, i * 1000));
  for (const [i, rows] of (await Promise.all(runs)).entries()) {
    expect(new Set(rows).size).toBe(200);
    expect(new Set(rows.map((row) => row.length))).toEqual(new Set([500 + i]));
  }
});

test("an error ends its statement alone, and a lost connection is made again", async () => {
  await expect(sql`SELECT 1 / 0`).rejects.toMatchObject({ code: "22012" });
  await expect(sql`SELECT pg_terminate_backend(pg_backend_pid())`).rejects.toThrow();
  await expect.poll(async () => (await texts(3, 10, 1)).length).toBe(3);
});

test("a server that is away fails the statement, and is found when it is back", async () => {
  const away = openDriver("postgres://x:y@127.0.0.1:1/x", { name: "away", reuseReadBuffer: true });
  await expect(away`SELECT 1`).rejects.toMatchObject({ code: "ECONNREFUSED" });
  await expect(away`SELECT 1`).rejects.toMatchObject({ code: "ECONNREFUSED" });
  await away.end();
});
