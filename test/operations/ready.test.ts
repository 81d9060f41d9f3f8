import { connect } from "node:net";
import { setImmediate as soon } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isReady, pidOf, until } from "../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../harness/stack/stacks.ts";

let stack: OwnStack;
beforeAll(async () => {
  stack = await startOwnStack();
});
afterAll(() => stack?.stop());

/** Whether somebody takes connections there at this moment. */
function accepts(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

test.each(["authorization-server-1", "resource-server-1"])(
  "%s says nothing of itself before it takes requests",
  async (name) => {
    const before = pidOf(stack, name);
    const { url = "" } = stack.now.processes.find((process) => process.name === name) ?? {};
    const internalUrl = stack.internalUrls[name] ?? "";
    process.kill(before, "SIGKILL");
    await until(async () => !(await accepts(internalUrl)));
    // As often as possible: what is looked for lasts for some milliseconds.
    while (!(await accepts(internalUrl))) await soon();
    expect(await accepts(url)).toBe(true);
    await until(() => isReady(stack, name));
    expect(pidOf(stack, name)).not.toBe(before);
  },
);
