import { setImmediate as nextPhase } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DriverPool, openDriver } from "../pool/connect.ts";
import { isDatabaseFault } from "../pool/database-fault.ts";
import { freshDatabase, type TestDatabase } from "../testing.ts";

let database: TestDatabase;
let operator: DriverPool;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  operator = openDriver(database.url, { name: "operator", connections: 1 });
});

afterAll(async () => {
  await operator.end();
  await database.drop();
});

const NAME = "lost connection test";

function connect(reuseReadBuffer = false): DriverPool {
  return openDriver(database.url, { name: NAME, connections: 1, reuseReadBuffer });
}

/** Ends the connections whose statement is under way. */
async function endThem(): Promise<void> {
  const end = () => operator`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ${NAME} AND wait_event = 'PgSleep'`;
  await expect.poll(async () => (await end()).length, { interval: 5 }).toBeGreaterThan(0);
}

const who = (sql: DriverPool, asked: string) => sql`SELECT ${asked}::text AS who`;

async function whoOrFault(sql: DriverPool, asked: string): Promise<unknown> {
  return await who(sql, asked).then(
    ([row]) => row?.["who"],
    (error) => (isDatabaseFault(error) ? "fault" : error),
  );
}

test("the statement that was under way is told why, and the next one is not", async () => {
  const sql = connect();
  await who(sql, "all");
  for (let round = 0; round < 3; round++) {
    const lost = Promise.allSettled([sql`SELECT pg_sleep(60)`, who(sql, "behind")]);
    await endThem();
    expect((await lost).map((outcome) => (outcome as PromiseRejectedResult).reason.code)).toEqual([
      "57P01",
      "CONNECTION_CLOSED",
    ]);
    expect(await who(sql, "next")).toEqual([{ who: "next" }]);
  }
  await sql.end();
});

/** What fills the server's buffers, so that it resets a connection that it ends: the socket has an error before its end. */
const MUCH = "x".repeat(100_000);

test.each([
  ["at once", () => Promise.resolve()],
  ["while the socket closes", () => nextPhase()],
])("whoever asks again %s when the connection was reset gets the own answer, or a fault", async (_, wait) => {
  for (const reuseReadBuffer of [false, true]) {
    const sql = connect(reuseReadBuffer);
    await Promise.all([who(sql, "all"), sql`SELECT length(${MUCH}::text)`]);
    const again = async (query: PromiseLike<unknown>, asked: string): Promise<unknown> => {
      await query.then(null, () => {});
      await wait();
      return await whoOrFault(sql, asked);
    };
    const lost = [sql`SELECT pg_sleep(60)`, ...Array.from({ length: 20 }, () => sql`SELECT length(${MUCH}::text)`)];
    const answers = Promise.all(lost.map((query, index) => again(query, `again-${index}`)));
    await endThem();
    for (const [index, answer] of (await answers).entries()) expect(["fault", `again-${index}`]).toContain(answer);
    const next = Array.from({ length: 20 }, (_, index) => `next-${index}`);
    // The first may still meet the pause before the next connection.
    expect(await Promise.all(next.map((asked) => whoOrFault(sql, asked)))).toEqual(next);
    await sql.end();
  }
});

test("a pool ends as soon as the connection that it waits for is lost", async () => {
  const sql = connect();
  const lost = sql`SELECT pg_sleep(60)`.catch((error) => error.code);
  await expect.poll(() => operator`SELECT FROM pg_stat_activity WHERE application_name = ${NAME}`).toHaveLength(1);
  const end = sql.end({ timeout: 3600 });
  await endThem();
  expect(await lost).toBe("57P01");
  await end;
});
