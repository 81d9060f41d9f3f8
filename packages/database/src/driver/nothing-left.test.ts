import { once } from "node:events";
import type { Socket } from "node:net";
import { setImmediate as nextPhase } from "node:timers/promises";
import postgres from "postgres";
import { expect, test } from "vitest";
import { type DriverPool, openDriver } from "../pool/connect.ts";
import { isDatabaseFault } from "../pool/database-fault.ts";
import { suiteDatabase } from "../testing/suite.ts";

const NAME = "nothing left test";

const database = await suiteDatabase();
const operator = database.open(database.url, { name: "operator", connections: 1 });
const sql = database.open(database.url, { name: NAME, connections: 1 });

const who = (asked: string) => sql`SELECT ${asked}::text AS who`;

async function whoOrFault(asked: string, on: DriverPool = sql): Promise<unknown> {
  return await on`SELECT ${asked}::text AS who`.then(
    ([row]) => row?.["who"],
    (error) => (isDatabaseFault(error) ? "fault" : error),
  );
}

/** A pool of one connection, which calls `onsocket` with each new socket. */
function watchedDriver(onsocket: (socket: Socket) => void): DriverPool {
  const options = { max: 1, max_pipeline: 0, backoff: 0, fetch_types: false, onsocket };
  return postgres(database.url, {
    ...options,
    connection: { application_name: NAME },
  } as unknown as postgres.Options<never>);
}

const sleepers = () => operator`
  SELECT FROM pg_stat_activity WHERE application_name = ${NAME} AND wait_event = 'PgSleep'`;

const endSleepers = () => operator`
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ${NAME} AND wait_event = 'PgSleep'`;

/** Ends the connections whose statement is under way. */
async function endThem(): Promise<void> {
  await expect.poll(async () => (await endSleepers()).length, { interval: 5 }).toBeGreaterThan(0);
}

const numbers = async () => (await sql`SELECT n FROM generate_series(1, 3) n`).map(({ n }) => n);

test("after a query fails in mid-stream, the next query's result is complete", async () => {
  await expect(sql`SELECT 1 / (n - 50) FROM generate_series(1, 100) n`).rejects.toMatchObject({
    code: "22012",
  });
  expect(await numbers()).toEqual([1, 2, 3]);
});

test("a connection lost in mid-stream doesn't affect later results", async () => {
  const failing = sql`
    SELECT n, CASE WHEN n = 50 THEN pg_terminate_backend(pg_backend_pid()) END FROM generate_series(1, 100000) n`;
  await expect(failing).rejects.toMatchObject({ code: "57P01" });
  expect(await numbers()).toEqual([1, 2, 3]);
});

test("when the server ends a connection, the running statement fails with the server's error code, and waiting statements succeed", async () => {
  await who("all");
  for (let round = 0; round < 3; round++) {
    const [lost, waiting] = [sql`SELECT pg_sleep(60)`.catch((error) => error.code), who("waiting")];
    await endThem();
    expect(await lost).toBe("57P01");
    expect(await waiting).toEqual([{ who: "waiting" }]);
  }
});

/** Resets the connection: its socket has an error before its end. */
const reset = (socket: Socket | undefined) =>
  socket?.destroy(Object.assign(new Error("reset by the test"), { code: "ECONNRESET" }));

const MOMENTS: [string, () => Promise<unknown>][] = [
  ["immediately", () => Promise.resolve()],
  ["while the socket closes", () => nextPhase()],
];

test.each(MOMENTS)(
  "after a reset of the connection, a query sent %s gets its own result or a fault",
  async (_, wait) => {
    const sockets: Socket[] = [];
    const own = watchedDriver((socket) => void sockets.push(socket));
    for (const isTransaction of [false, true]) {
      const asked = (name: string) => whoOrFault(name, own);
      expect(await asked("all")).toBe("all");
      const sleeping = (on: DriverPool) => on`SELECT pg_sleep(60)`;
      const lost = isTransaction
        ? own.begin((inside) => sleeping(inside as unknown as DriverPool))
        : sleeping(own);
      const again = lost
        .then(null, () => {})
        .then(wait)
        .then(() => Promise.all(Array.from({ length: 20 }, (_, index) => asked(`again-${index}`))));
      await expect.poll(() => sleepers()).toHaveLength(1);
      reset(sockets.at(-1));
      for (const [index, answer] of (await again).entries())
        expect(["fault", `again-${index}`]).toContain(answer);
      expect(await asked("next")).toBe("next");
      // The server may not have noticed the reset, so its session may still sleep.
      await expect.poll(async () => [await endSleepers(), await sleepers()][1]).toHaveLength(0);
    }
    await own.end();
  },
);

test.each(MOMENTS)(
  "a transaction that continues %s after a reset of its connection fails with a database fault",
  async (_, wait) => {
    const sockets: Socket[] = [];
    const own = watchedDriver((socket) => void sockets.push(socket));
    const work = own.begin(async (inside) => {
      await inside`SELECT 1`;
      const error = once(sockets.at(-1) as Socket, "error");
      reset(sockets.at(-1));
      await error.catch(() => {});
      await wait();
      return await inside`SELECT 2`;
    });
    await expect(work).rejects.toSatisfy(isDatabaseFault);
    expect(await whoOrFault("next", own)).toBe("next");
    await own.end();
  },
);

test("a query that can't be sent fails without affecting the queries before and after it", async () => {
  const at = (value: unknown) => sql`SELECT ${value as Date}::timestamptz AS at`;
  await Promise.all([at(new Date(0)), who("all")]);
  const broken = new Date(Number.NaN);
  const queries = [
    who("a"),
    at(broken),
    at(undefined),
    at(broken),
    who("b"),
    at(undefined),
    at(new Date(1000)),
  ];
  const settled = await Promise.allSettled(queries);
  expect(
    settled.map((outcome) =>
      outcome.status === "fulfilled" ? outcome.value[0] : outcome.reason.name,
    ),
  ).toEqual([
    { who: "a" },
    "RangeError",
    "Error",
    "RangeError",
    { who: "b" },
    "Error",
    { at: new Date(1000) },
  ]);
});

test("a prepared statement that the server no longer has is sent again with the same values", async () => {
  const [bytes, json] = [Buffer.from([0, 1, 254, 255]), { a: "é" }];
  const ask = () => sql`SELECT ${bytes}::bytea AS bytes, ${sql.json(json)}::jsonb AS json`;
  expect(await ask()).toEqual([{ bytes, json }]);
  await sql.unsafe("DEALLOCATE ALL");
  expect(await ask()).toEqual([{ bytes, json }]);
});

test("a pool ends as soon as the connection that it waits for is lost", async () => {
  const own = openDriver(database.url, { name: NAME, connections: 1 });
  const lost = own`SELECT pg_sleep(60)`.catch((error) => error.code);
  await expect.poll(sleepers).toHaveLength(1);
  const end = own.end({ timeout: 3600 });
  await endThem();
  expect(await lost).toBe("57P01");
  await end;
});
