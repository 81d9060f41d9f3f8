import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { isDefect } from "../logging/faults.ts";
import { type Door, doorTo, type OwnRedis, ownRedis } from "../testing/index.ts";
import { connectRedis } from "./connect-redis.ts";
import type { Redis } from "./connection.ts";
import { requireRedis } from "./readiness.ts";

/** A Redis of this file: the run's may be silent for too long while others write to its disk. */
let own: OwnRedis;
let door: Door;
let redis: Redis;

beforeAll(async () => {
  own = await ownRedis();
});
afterAll(() => own.stop());

beforeEach(async () => {
  door = await doorTo(own.url);
  redis = connectRedis(door.url, "test", { silence: 200 });
  await ready();
});

afterEach(() => {
  redis.disconnect();
  door.close();
});

/** Waits for `ready`; unlike `once` of `node:events`, even after an attempt that fails. */
const ready = (client = redis) => new Promise<void>((resolve) => client.once("ready", resolve));

const expectFault = (command: Promise<unknown>) =>
  expect(command).rejects.toSatisfy((error) => !isDefect(error));

/** Keeps the process busy, so that timers run late and nothing is read. */
function keepBusy(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

test("the commands of one event-loop turn are sent in one write", async () => {
  const before = door.chunks;
  const values = await Promise.all(Array.from({ length: 50 }, (_, i) => redis.incrby("sum", i)));
  expect(values.at(-1)).toBe(1225);
  expect(door.chunks - before).toBe(1);
});

test("commands fail as faults while Redis hangs, and succeed again once Redis resumes", async () => {
  door.freeze("all");
  await Promise.all([expectFault(redis.get("a")), expectFault(redis.get("b"))]);
  door.thaw();
  await ready();
  expect(await redis.get("a")).toBeNull();
});

test("a command fails as a fault if Redis is lost or its replacement is silent, and later commands succeed", async () => {
  door.freeze("all");
  const fault = expectFault(redis.get("a"));
  door.cut();
  await fault;
  const before = door.connections;
  await expect.poll(() => door.connections - before, { timeout: 10_000 }).toBeGreaterThanOrEqual(3);
  await expectFault(redis.get("a"));
  door.thaw();
  await ready();
  expect(await redis.get("a")).toBeNull();
});

test("a process that is busy for longer than the silence limit still gets Redis's responses", async () => {
  const direct = connectRedis(own.url, "test", { silence: 100 });
  await ready(direct);
  for (let i = 0; i < 5; i++) {
    const answer = direct.incr("busy");
    // By the next turn the command has been sent.
    await new Promise((resolve) => setImmediate(resolve));
    keepBusy(300);
    expect(await answer).toBe(i + 1);
  }
  direct.disconnect();
});

test("a command succeeds even if the process is busy before the command is sent", async () => {
  const patient = connectRedis(door.url, "test");
  await ready(patient);
  const answer = patient.ping();
  keepBusy(1200);
  // `doorTo` passes the command on in a later turn, so no reply is there yet.
  expect(await answer).toBe("PONG");
  patient.disconnect();
});

test("a command succeeds on a connection that was idle for longer than Redis's silence limit", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  redis.disconnect();
  redis = connectRedis(door.url, "test", { silence: 200 });
  await ready();
  const id = await redis.client("ID");
  for (const before of [200, 199]) {
    vi.advanceTimersByTime(before);
    const answer = redis.client("ID");
    vi.advanceTimersByTime(199);
    expect(await answer).toBe(id);
  }
});

describe("a demoted server whose connections stay open", () => {
  let other: OwnRedis;
  beforeAll(async () => {
    other = await ownRedis();
  });
  afterAll(() => other.stop());
  afterEach(() => own.call("REPLICAOF", "NO", "ONE"));

  const port = async () => ((await redis.config("GET", "port").catch(() => [])) as string[])[1];
  async function becomeReplica(): Promise<void> {
    // A new connection first checks the server's role, so wait for that answer.
    await port();
    await own.call("REPLICAOF", "127.0.0.1", new URL(other.url).port);
  }
  async function demote(): Promise<void> {
    await becomeReplica();
    door.leadTo(other.url);
  }

  test("a client that only reads leaves a demoted Redis", async () => {
    expect(await port()).toBe(new URL(own.url).port);
    await demote();
    await expect.poll(port, { timeout: 30_000 }).toBe(new URL(other.url).port);
    await requireRedis(redis);
  });

  test.each([
    ["a write", (to: Redis) => to.set("a", "1")],
    [
      "a script's error with READONLY in its middle",
      (to: Redis) =>
        to.eval("return redis.error_reply('ERR Error running script: -READONLY x')", 0),
    ],
  ])("a client leaves a demoted Redis after %s", async (_, write) => {
    // Disables the periodic check of the role.
    vi.useFakeTimers({ toFake: ["setInterval"] });
    redis.disconnect();
    redis = connectRedis(door.url, "test");
    vi.useRealTimers();
    await ready();
    await demote();
    const left = ready();
    await expect(write(redis)).rejects.toThrow("READONLY");
    await left;
    expect(await port()).toBe(new URL(other.url).port);
  });

  test("the readiness check fails while the address leads to a demoted Redis", async () => {
    await becomeReplica();
    await expect(requireRedis(redis)).rejects.toThrow("READONLY");
  });
});
