import { once } from "node:events";
import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import postgres from "postgres";
import { expect, test } from "vitest";
import { suiteDatabase } from "../testing/suite.ts";
import { endWhenSilent, openDriver } from "./connect.ts";

const database = await suiteDatabase();

test("no statement or transaction fails while connections are constantly renewed", async () => {
  const options = {
    max: 3,
    max_pipeline: 0,
    max_lifetime: 0.02,
    backoff: () => 0,
    fetch_types: false,
  };
  const sql = postgres(database.url, options);
  const backends = new Set<number>();
  const callers = Array.from({ length: 6 }, async (_, caller) => {
    for (let turn = 0; turn < 40; turn++) {
      const [row] = await sql`SELECT ${caller}::int AS caller, pg_backend_pid() AS pid`;
      backends.add(row?.["pid"]);
      expect(row?.["caller"]).toBe(caller);
      // The transaction takes longer than a connection may live.
      const pids = await sql.begin(async (tx) => {
        const [before] = await tx`SELECT pg_backend_pid() AS pid, pg_sleep(0.03)`;
        const [after] = await tx`SELECT pg_backend_pid() AS pid`;
        return [before?.["pid"], after?.["pid"]];
      });
      expect(pids[0]).toBe(pids[1]);
    }
  });
  await Promise.all(callers);
  expect(backends.size).toBeGreaterThan(40);
  await sql.end();
});

test("a service's connection lives four to six seconds, so that it leaves a demoted server", async () => {
  const sql = openDriver(database.url, { name: "service", silence: 1000 });
  const lifetime = sql.options.max_lifetime as unknown as () => number;
  expect(lifetime()).toBeGreaterThanOrEqual(4);
  expect(lifetime()).toBeLessThanOrEqual(6);
  await sql.end();
});

test("a connection on which a write fails because the server is read-only is not used again", async () => {
  const sql = openDriver(database.url, { name: "read-only test", connections: 1 });
  await sql`CREATE TABLE written ()`;
  const backend = async () => (await sql`SELECT pg_backend_pid() AS pid`)[0]?.["pid"];
  const writes = [
    () => sql`INSERT INTO written DEFAULT VALUES`,
    () => sql.begin((tx) => tx`INSERT INTO written DEFAULT VALUES`),
  ];
  for (const write of writes) {
    const before = await backend();
    await sql`SET default_transaction_read_only = on`;
    await expect(write()).rejects.toMatchObject({ code: "25006" });
    await write();
    expect(await backend()).not.toBe(before);
  }
  await sql.end();
});

test("a response that arrived in time is used, even if the busy process reads it late", async () => {
  const flags = new Int32Array(new SharedArrayBuffer(4));
  // The server runs in its own thread and sets the flag once it has answered.
  const server = new Worker(
    `const { workerData, parentPort } = require("node:worker_threads");
     const server = require("node:net").createServer((socket) => {
       socket.once("data", () => socket.write("answer", () => {
         Atomics.store(workerData, 0, 1);
         Atomics.notify(workerData, 0);
       }));
     });
     server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`,
    { eval: true, workerData: flags },
  );
  try {
    const [port] = (await once(server, "message")) as [number];
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    endWhenSilent(socket, 100);
    const answer = Promise.race([once(socket, "data"), once(socket, "close")]);
    socket.write("question");
    await nextTurn();
    expect(Atomics.wait(flags, 0, 0, 10_000)).not.toBe("timed-out");
    // Blocks the event loop for longer than the limit of silence.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    expect(String(await answer)).toBe("answer");
    socket.destroy();
  } finally {
    await server.terminate();
  }
});
