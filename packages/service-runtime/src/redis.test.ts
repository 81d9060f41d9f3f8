import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectRedis, isRedisFault, type Redis } from "./redis.ts";

let folder: string;
let socket: string;
let server: ChildProcess;
let redis: Redis;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "redis-"));
  socket = join(folder, "redis.sock");
  server = await startServer();
  redis = connectRedis(socket, "test", { silence: 200 });
  await ready();
});

afterEach(async () => {
  redis.disconnect();
  server.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

async function startServer(): Promise<ChildProcess> {
  const process = spawn("redis-server", ["--port", "0", "--unixsocket", socket, "--save", "", "--dir", folder]);
  for await (const chunk of process.stdout) if (String(chunk).includes("eady to accept connections")) break;
  return process;
}

/** Unlike `once`, it goes on when an attempt fails. */
async function ready(): Promise<void> {
  await new Promise<void>((resolve) => redis.once("ready", resolve));
}

async function failure(command: Promise<unknown>): Promise<unknown> {
  return command.then(
    () => expect.unreachable("Redis answered"),
    (error: unknown) => error,
  );
}

test("what one turn of the event loop asks goes out in one write", async () => {
  const reads = async () => Number(/total_reads_processed:(\d+)/.exec(await redis.info("stats"))?.[1]);
  const before = await reads();
  const values = await Promise.all(Array.from({ length: 50 }, (_, i) => redis.incrby("sum", i)));
  expect(values.at(-1)).toBe(1225);
  expect((await reads()) - before).toBe(2); // one of the fifty, one of the question
});

describe("commands fail as a fault of Redis, and later ones work again", () => {
  test("when it hangs", async () => {
    server.kill("SIGSTOP");
    const errors = await Promise.all([failure(redis.get("a")), failure(redis.get("b"))]);
    expect(errors.map(isRedisFault)).toEqual([true, true]);
    server.kill("SIGCONT");
    await ready();
    expect(await redis.get("a")).toBeNull();
  });

  test("when it is killed while they wait, and a server that never answers has taken its place for a while", async () => {
    server.kill("SIGSTOP");
    const waiting = failure(redis.get("a"));
    server.kill("SIGKILL");
    expect(isRedisFault(await waiting)).toBe(true);
    await rm(socket, { force: true });
    const silent = createServer().listen(socket);
    for (let taken = 0; taken < 3; taken++) await once(silent, "connection");
    expect(isRedisFault(await failure(redis.get("a")))).toBe(true);
    silent.close();
    await rm(socket, { force: true });
    server = await startServer();
    await ready();
    expect(await redis.get("a")).toBeNull();
  });
});

test("a connection that owes no answer is kept, however long it rests", async () => {
  const id = await redis.client("ID");
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await redis.client("ID")).toBe(id);
});
