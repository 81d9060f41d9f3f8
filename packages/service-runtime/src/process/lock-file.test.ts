import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { LockHeld, takeLock } from "./lock-file.ts";

const HOLDER = `
const { takeLock } = await import(${JSON.stringify(import.meta.resolve("./lock-file.ts"))});
takeLock(process.argv[1]);
console.log("locked");
setInterval(() => {}, 1000);`;

test("one process holds a lock, until it releases it or is killed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "lock-file-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "work.lock");
  const release = takeLock(file);
  expect(() => takeLock(file)).toThrow(LockHeld);
  release();
  const holder = spawn(process.execPath, ["--input-type=module", "--eval", HOLDER, file]);
  await once(holder.stdout, "data");
  expect(() => takeLock(file)).toThrow(LockHeld);
  holder.kill("SIGKILL");
  await once(holder, "exit");
  takeLock(file)();
});
