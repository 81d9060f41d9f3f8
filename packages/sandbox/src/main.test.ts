import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { unmigratedDatabase } from "@partner-connect/database/testing";
import { removeData } from "@partner-connect/local-stack";
import { freshRedis } from "@partner-connect/service-runtime/testing";
import { expect, onTestFinished, test } from "vitest";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));
const CLI = fileURLToPath(new URL("../../operator-cli/src/main.ts", import.meta.url));

test("'pnpm sandbox' keeps its data in .data/sandbox, where its commands find it, and ends with 0 at Ctrl-C", async () => {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), "partner-connect-sandbox-")));
  const database = await unmigratedDatabase(process.env["TEST_DATABASE_URL"]);
  const redis = await freshRedis(process.env["TEST_REDIS_URL"]);
  const { PATH, HOME } = process.env;
  const start = (args: string[], env: Record<string, string> = {}) =>
    spawn(process.execPath, args, { cwd, env: { PATH, HOME, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  const cli = async (...words: string[]) => {
    const child = start([CLI, ...words, "--json"]);
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    return { stdout: stdout && JSON.parse(stdout), stderr };
  };
  const stores = { DATABASE_URL: database.url, REDIS_URL: redis.url, PORT: "0", DEMO_DATA: "0" };
  const oneOfEach = { AUTHORIZATION_SERVER_REPLICAS: "1", RESOURCE_SERVER_REPLICAS: "1" };
  const sandbox = start([MAIN], { ...stores, ...oneOfEach });
  const exit = once(sandbox, "exit");
  try {
    await new Promise<void>((resolve, reject) => {
      let output = "";
      const take = (chunk: Buffer) => {
        output += chunk;
        if (/^ready .*\n[\s\S]*sandbox triggers\n/m.test(output)) resolve();
      };
      for (const stream of [sandbox.stdout, sandbox.stderr]) stream.on("data", take);
      void exit.then(() => reject(new Error(`it ended:\n${output}`)));
    });
    const before = await cli("sandbox", "now");
    expect(before).toEqual({ stdout: { now: expect.stringMatching(/^\d{4}-.*Z$/) }, stderr: "" });
    const { stdout: after } = await cli("sandbox", "advance", "31d");
    expect(Date.parse(after.now) - Date.parse(before.stdout.now)).toBeGreaterThanOrEqual(31 * 86_400_000);
    // With no other stack beside it, every other command works on the sandbox too, in its time.
    const generated = await cli("keys", "generate");
    expect(generated.stderr).toBe("");
    const announced = await cli("keys", "announce", generated.stdout.kid);
    expect(Date.parse(announced.stdout.announced_at)).toBeGreaterThanOrEqual(Date.parse(after.now));
  } finally {
    sandbox.kill("SIGINT");
    const [code] = await exit;
    await Promise.all([database.drop(), redis.drop()]);
    onTestFinished(() => removeData(cwd));
    expect(code).toBe(0);
  }
  const gone = await cli("sandbox", "now");
  expect(JSON.parse(gone.stderr)).toMatchObject({ error: "NO_SANDBOX", hint: expect.stringContaining("pnpm sandbox") });
}, 180_000);
