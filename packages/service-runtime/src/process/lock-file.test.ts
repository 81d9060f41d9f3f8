import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LockHeld, takeLock } from "./lock-file.ts";
import { identify } from "./process-identity.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lock-file-"));
  file = join(folder, "work");
});
afterEach(() => rm(folder, { recursive: true }));

const locked = (pid: number, host = hostname()) =>
  writeFile(`${file}.lock`, JSON.stringify({ pid, host, started: "1" }));

async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = await takeLock(`${path}.lock`);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

async function deadProcess(): Promise<number> {
  const child = spawn("true");
  await once(child, "exit");
  return child.pid ?? 0;
}

test("the lock of a process that was killed is void, and of many that find it one gets it", async () => {
  await locked(await deadProcess());
  let inside = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++inside);
    await new Promise((resolve) => setTimeout(resolve, 50));
    inside -= 1;
  };
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => withLock(file, work)));
  expect(most).toBe(1);
  expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBeGreaterThanOrEqual(1);
  await withLock(file, work);
  expect(await readdir(folder)).toEqual([]);
});

test("the lock of an earlier process with this one's id is void", async () => {
  await locked(process.pid);
  expect(await withLock(file, async () => "done")).toBe("done");
});

test("the lock of a living process, of another machine, and one that says nothing are respected", async () => {
  await writeFile(`${file}.lock`, JSON.stringify(await identify(process.ppid)));
  await expect(withLock(file, async () => {})).rejects.toBeInstanceOf(LockHeld);
  await locked(await deadProcess(), "another-machine");
  await expect(withLock(file, async () => {})).rejects.toBeInstanceOf(LockHeld);
  await writeFile(`${file}.lock`, "");
  await expect(withLock(file, async () => {})).rejects.toBeInstanceOf(LockHeld);
});
