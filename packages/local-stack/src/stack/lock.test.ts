import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { identify, isRunning } from "../processes/process-identity.ts";
import { takeLock } from "./lock.ts";

let dataDir: string;
const file = () => join(dataDir, "local-stack.lock");

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "partner-connect-lock-"));
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

test("a data folder belongs to one running stack", async () => {
  const lock = await takeLock(dataDir);
  await expect(takeLock(dataDir)).rejects.toThrow(
    new RegExp(`^a local stack is running already in ${dataDir} \\(process ${process.pid}\\)`),
  );
  await lock.release();
  await (await takeLock(dataDir)).release();
});

test("of many that start at once, one gets it", async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => takeLock(dataDir)));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("the lock of a process that is gone is void, also when another process has its id now", async () => {
  await writeFile(file(), JSON.stringify({ pid: process.pid, started: "long ago", children: [] }));
  await (await takeLock(dataDir)).release();
});

test("a lock that cannot be read is void", async () => {
  await writeFile(file(), "");
  await (await takeLock(dataDir)).release();
});

test("processes that a killed stack left are ended first; one that only has such an id is left alone", async () => {
  const start = () => spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" }).pid ?? 0;
  const [orphan, stranger] = [await identify(start()), await identify(start())];
  if (!orphan || !stranger) throw new Error("no process");
  const children = [orphan, { ...stranger, started: "long ago" }];
  await writeFile(file(), JSON.stringify({ pid: 1, started: "long ago", children }));
  const lock = await takeLock(dataDir);
  expect([await isRunning(orphan), await isRunning(stranger)]).toEqual([false, true]);
  process.kill(stranger.pid, "SIGKILL");
  await lock.release();
});

test("the lock names the processes that it was told, for nobody else to read", async () => {
  const lock = await takeLock(dataDir);
  await lock.remember([process.pid]);
  expect(JSON.parse(await readFile(file(), "utf8")).children).toEqual([await identify(process.pid)]);
  expect((await stat(file())).mode & 0o077).toBe(0);
  await lock.release();
});
