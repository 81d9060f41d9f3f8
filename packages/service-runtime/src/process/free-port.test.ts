import { execFile } from "node:child_process";
import { createServer } from "node:net";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { freePort, isFree } from "./free-port.ts";

/** Two copies of the module begin at the same port, as two processes may. The process ends, though its ports are still taken. */
const COPIES = `
const [one, other] = [await import(${JSON.stringify(`${import.meta.resolve("./free-port.ts")}?one`)}),
  await import(${JSON.stringify(`${import.meta.resolve("./free-port.ts")}?other`)})];
console.log(JSON.stringify([await one.freePort(), await other.freePort(), await one.freePort()]));`;

test.runIf(process.platform === "linux")("a port on which nobody listens yet is not given twice", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", COPIES]);
  expect(new Set(JSON.parse(stdout)).size).toBe(3);
});

test("a port is free until a process listens, and asking does not block listening", async () => {
  const port = await freePort();
  const asking = Array.from({ length: 20 }, () => isFree("127.0.0.1", port));
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  await Promise.all(asking);
  expect(await isFree("127.0.0.1", port)).toBe(false);
  expect(await isFree("::1", await freePort())).toBe(true);
});
