import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test, vi } from "vitest";
import { identify } from "./process-identity.ts";

/** A parent with two children: one on its leash, one let go again. It prints their ids. */
const PARENT = `
import { spawn } from "node:child_process";
import { startLeash } from ${JSON.stringify(new URL("./leash.ts", import.meta.url).href)};
const leash = startLeash();
const child = () => spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore", detached: true });
const [held, free] = [child(), child()];
leash.hold(free.pid); leash.hold(held.pid); leash.letGo(free.pid);
console.log(JSON.stringify([held.pid, free.pid]));
setInterval(() => {}, 1000);
`;

test("when the parent is killed, what it holds ends, and what it let go lives on", async () => {
  const parent = spawn(process.execPath, ["--input-type=module", "-e", PARENT], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(parent.stdout, "data")) as [Buffer];
  const [held, free]: [number, number] = JSON.parse(line.toString());
  parent.kill("SIGKILL");
  await vi.waitFor(async () => expect(await identify(held)).toBeNull(), { timeout: 10_000 });
  expect(await identify(free)).not.toBeNull();
  process.kill(free, "SIGKILL");
});
