import { doorTo } from "@partner-connect/service-runtime/testing";
import postgres from "postgres";
import { expect, test } from "vitest";
import { openDriver } from "../pool/connect.ts";
import { suiteDatabase } from "../testing/suite.ts";

const database = await suiteDatabase();

test("each new connection has the pool's settings before its first query", async () => {
  const settings = { lock_timeout: 1234, jit: "off" };
  const sql = openDriver(database.url, {
    ...{ name: "setup test", connections: 2 },
    ...{ statementTimeout: 4321, settings },
  });
  const ask =
    () => sql`SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
      current_setting('jit') AS jit, current_setting('application_name') AS name`;
  const row = { statement: "4321ms", lock: "1234ms", jit: "off", name: "setup test" };
  expect(await Promise.all(Array.from({ length: 20 }, ask))).toEqual(Array(20).fill([row]));
  await expect(sql`SELECT pg_terminate_backend(pg_backend_pid())`).rejects.toThrow();
  expect(await Promise.all(Array.from({ length: 20 }, ask))).toEqual(Array(20).fill([row]));
  await sql.end();
});

test("a connection whose settings the server refuses is not used, and its waiting query fails with the cause", async () => {
  const door = await doorTo(database.url);
  const sql = openDriver(door.url, {
    name: "setup test",
    connections: 1,
    settings: { no_such_setting: "x" },
  });
  for (const connections of [1, 2]) {
    await expect(sql`SELECT 1`).rejects.toMatchObject({ code: "42704" });
    expect(door.connections).toBe(connections);
  }
  await sql.end();
  door.close();
});

test("a connection succeeds even if the event loop is blocked for longer than the connect timeout", async () => {
  const onsocket = () =>
    // Postgres answers the startup message in this turn; timers run before that is read.
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1100));
  const options = { max: 1, connect_timeout: 1, fetch_types: false, onsocket };
  const sql = postgres(database.url, options);
  expect([...(await sql`SELECT 1 AS one`)]).toEqual([{ one: 1 }]);
  await sql.end();
});
