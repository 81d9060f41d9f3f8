import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { identify, isRunning } from "@partner-connect/service-runtime/process-identity";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockDataFolder } from "./data-folder.ts";

/** Takes the lock of the folder that it is told, says whether it got it, and keeps it. */
const TAKER = `
const { lockDataFolder } = await import(${JSON.stringify(new URL("./data-folder.ts", import.meta.url).href)});
await lockDataFolder(process.argv[1]).then(() => console.log("taken"), () => console.log("refused"));
setInterval(() => {}, 1000);
`;

let dataDir: string;
const file = () => join(dataDir, "local-stack.lock");

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "partner-connect-lock-"));
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

test("a data folder belongs to one running stack", async () => {
  const lock = await lockDataFolder(dataDir);
  await expect(lockDataFolder(dataDir)).rejects.toThrow(
    new RegExp(`^a local stack is running already in ${dataDir} \\(process ${process.pid}\\)`),
  );
  await lock.release();
  await (await lockDataFolder(dataDir)).release();
});

test("of many that start at once, one gets it", async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => lockDataFolder(dataDir)));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("the lock of a process that is gone is void, also when another process has its id now", async () => {
  await writeFile(file(), JSON.stringify({ pid: process.pid, started: "long ago", children: [] }));
  await (await lockDataFolder(dataDir)).release();
});

test("a lock that cannot be read is void", async () => {
  await writeFile(file(), "");
  await (await lockDataFolder(dataDir)).release();
});

test("processes that a killed stack left are ended first; one that only has such an id is left alone", async () => {
  const start = () => spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" }).pid ?? 0;
  const [orphan, stranger] = [await identify(start()), await identify(start())];
  if (!orphan || !stranger) throw new Error("no process");
  const children = [orphan, { ...stranger, started: "long ago" }];
  await writeFile(file(), JSON.stringify({ pid: 1, started: "long ago", children }));
  const lock = await lockDataFolder(dataDir);
  expect([await isRunning(orphan), await isRunning(stranger)]).toEqual([false, true]);
  process.kill(stranger.pid, "SIGKILL");
  await lock.release();
});

test("of many that find a killed stack's lock at once, one gets it", async () => {
  // It takes a while to end, so that all of them find the lock void.
  const slow = 'process.on("SIGTERM", () => setTimeout(process.exit, 1500)); setInterval(() => {}, 1000)';
  const child = spawn(process.execPath, ["-e", slow], { stdio: "ignore" });
  const orphan = await identify(child.pid ?? 0);
  await writeFile(file(), JSON.stringify({ pid: 1, started: "long ago", children: [orphan] }));
  const takers = Array.from({ length: 8 }, () =>
    spawn(process.execPath, ["--input-type=module", "-e", TAKER, dataDir]),
  );
  try {
    const outcomes = await Promise.all(takers.map(async ({ stdout }) => String((await once(stdout, "data"))[0])));
    expect(outcomes.toSorted()).toEqual([...Array.from({ length: 7 }, () => "refused\n"), "taken\n"]);
  } finally {
    for (const taker of takers) taker.kill("SIGKILL");
  }
});

test("the lock names the processes that it was told, for nobody else to read", async () => {
  const lock = await lockDataFolder(dataDir);
  await lock.remember([process.pid]);
  expect(JSON.parse(await readFile(file(), "utf8")).children).toEqual([await identify(process.pid)]);
  expect((await stat(file())).mode & 0o077).toBe(0);
  await lock.release();
});
