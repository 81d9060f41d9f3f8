import { spawn } from "node:child_process";
import { once } from "node:events";
import { identify } from "@partner-connect/service-runtime/process-identity";
import { expect, test, vi } from "vitest";

/** A parent with two children: one that is watched, one that is forgotten again. It prints their ids. */
const PARENT = `
import { spawn } from "node:child_process";
import { startWatchdog } from ${JSON.stringify(new URL("./supervised-process.ts", import.meta.url).href)};
const watchdog = startWatchdog();
const child = () => spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore", detached: true });
const [watched, free] = [child(), child()];
watchdog.watch(free.pid); watchdog.watch(watched.pid); watchdog.forget(free.pid);
console.log(JSON.stringify([watched.pid, free.pid]));
setInterval(() => {}, 1000);
`;

test("when the parent is killed, what is watched ends, and what was forgotten lives on", async () => {
  const parent = spawn(process.execPath, ["--input-type=module", "-e", PARENT], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(parent.stdout, "data")) as [Buffer];
  const [watched, free]: [number, number] = JSON.parse(line.toString());
  parent.kill("SIGKILL");
  await vi.waitFor(async () => expect(await identify(watched)).toBeNull(), { timeout: 10_000 });
  expect(await identify(free)).not.toBeNull();
  process.kill(free, "SIGKILL");
});
