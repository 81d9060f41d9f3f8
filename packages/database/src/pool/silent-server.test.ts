import { once } from "node:events";
import { connect } from "node:net";
import { Worker } from "node:worker_threads";
import { doorTo } from "@partner-connect/service-runtime/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshDatabase, type TestDatabase } from "../testing.ts";
import { openDriver } from "./connect.ts";
import { endWhenSilent } from "./silent-server.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
});
afterAll(() => database.drop());

test("a server that is asked and says nothing is lost after a while, one that is slow is not", async () => {
  const door = await doorTo(database.url);
  const url = new URL(database.url);
  url.hostname = "127.0.0.1";
  url.port = door.port;
  const sql = openDriver(url.href, { name: "silence test", connections: 1, silence: 1500 });
  try {
    await sql`SELECT pg_sleep(0.3)`;
    await new Promise((resolve) => setTimeout(resolve, 2000));
    expect(await sql`SELECT 1 AS alive`).toEqual([{ alive: 1 }]);
    door.freeze("open");
    const asked = performance.now();
    await expect(sql`SELECT 1`).rejects.toMatchObject({ code: "ETIMEDOUT" });
    // Without it, TCP decides: in a quarter of an hour.
    expect(performance.now() - asked).toBeLessThan(15_000);
    const isBack = async () => (await sql`SELECT 1 AS alive`.catch(() => [])).length === 1;
    await expect.poll(isBack).toBe(true);
  } finally {
    await sql.end({ timeout: 1 });
    door.close();
  }
});

test("an answer that arrived while this process was busy counts, although it is read late", async () => {
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
    const heard = endWhenSilent(socket, 500);
    const answer = new Promise<string>((resolve, reject) => {
      socket.once("error", reject);
      socket.once("data", (bytes) => {
        heard();
        resolve(String(bytes));
      });
    });
    socket.write("question");
    await new Promise((resolve) => setImmediate(resolve));
    expect(Atomics.wait(flags, 0, 0, 10_000)).not.toBe("timed-out");
    // A long turn of the event loop: longer than the silence, and than the interval at which it is looked at.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1600);
    expect(await answer).toBe("answer");
    socket.destroy();
  } finally {
    await server.terminate();
  }
});
