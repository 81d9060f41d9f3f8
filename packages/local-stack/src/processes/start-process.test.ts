import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, isFree } from "@partner-connect/service-runtime/free-port";
import { identify, isRunning } from "@partner-connect/service-runtime/process-identity";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { type ProcessOptions, startProcess } from "./start-process.ts";
import { type SupervisedProcess, startWatchdog, type Watchdog } from "./supervised-process.ts";

let folder: string;
let watchdog: Watchdog;
let supervised: SupervisedProcess | undefined;
const lines: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "partner-connect-child-"));
  watchdog = startWatchdog();
});

afterEach(async () => {
  await supervised?.stop();
  supervised = undefined;
  lines.length = 0;
});

afterAll(async () => {
  await watchdog.release();
  await rm(folder, { recursive: true, force: true });
});

/** A program that listens on `port`, unless `script` says otherwise. */
async function start(
  change: Partial<ProcessOptions> = {},
  script?: string,
): Promise<{ supervised: SupervisedProcess; changed: number[] }> {
  const port = await freePort();
  const listening = `require("node:net").createServer().listen(${port}, "127.0.0.1")`;
  const changed: number[] = [];
  const options: ProcessOptions = {
    name: "sample",
    command: process.execPath,
    args: ["-e", script ?? listening],
    env: {},
    log: join(folder, "sample.log"),
    serves: async () => !(await isFree("127.0.0.1", port)),
    ...change,
  };
  supervised = await startProcess(options, {
    report: (line) => lines.push(line),
    changed: () => changed.push(Date.now()),
    watchdog,
  });
  return { supervised, changed };
}

async function nextLife(of: SupervisedProcess, before: number | undefined): Promise<number> {
  return await vi.waitFor(
    () => {
      if (of.pid === undefined || of.pid === before) throw new Error("no other process yet");
      return of.pid;
    },
    { timeout: 10_000, interval: 10 },
  );
}

test("a child that is killed has another process within two seconds, and its watcher is told", async () => {
  const { supervised: child, changed } = await start();
  const first = child.pid ?? 0;
  const killed = Date.now();
  process.kill(first, "SIGKILL");
  await nextLife(child, first);
  await vi.waitFor(() => expect(changed).toHaveLength(1), { timeout: 10_000 });
  expect((changed[0] ?? Infinity) - killed).toBeLessThan(2000);
  expect(lines).toEqual(["sample ended (SIGKILL), starting it again"]);
});

test("one that keeps ending is started again and again, with pauses of at most a second", async () => {
  const flag = join(folder, "served-once");
  // A shell starts faster than Node: the pauses are those between the starts.
  const script = `[ -e "${flag}" ] && exit 3; : >"${flag}"; exec sleep 1000`;
  const shell = { command: "/bin/sh", args: ["-c", script], env: { PATH: process.env["PATH"] } };
  const { supervised: child, changed } = await start({ ...shell, serves: async () => true });
  await vi.waitFor(() => readFile(flag), { timeout: 10_000 });
  process.kill(child.pid ?? 0, "SIGKILL");
  await vi.waitFor(() => expect(changed.length).toBeGreaterThan(8), { timeout: 20_000 });
  const pauses = changed.slice(1).map((at, index) => at - (changed[index] ?? 0));
  // The next pause would be of 1.6 seconds, and the one after it of 3.2.
  expect(Math.max(...pauses)).toBeLessThan(3000);
});

test("a child that ends at its first start is no start: the error says why, with the end of its log", async () => {
  const failing = start({}, `console.error("the disk is full"); process.exit(7)`);
  await expect(failing).rejects.toThrow(/^sample ended \(exit 7\); the end of .*sample\.log:\n\nthe disk is full\n$/);
});

test("a program that is not there is no start either", async () => {
  await expect(start({ command: "/nonexistent/program" })).rejects.toThrow(/could not be started .*ENOENT/);
});

test("stop ends the child and does not start another", async () => {
  const { supervised: child } = await start();
  const identity = await identify(child.pid ?? 0);
  await child.stop();
  expect(identity && (await isRunning(identity))).toBe(false);
  expect([child.pid, lines]).toEqual([undefined, []]);
});
