import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { removeData } from "@partner-connect/local-stack";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const ONE_OF_EACH = { AUTHORIZATION_SERVER_REPLICAS: "1", RESOURCE_SERVER_REPLICAS: "1" };

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "partner-connect-dev-"));
});
afterAll(() => removeData(dataDir));

test.each(["SIGINT", "SIGTERM"] as const)(
  "pnpm dev, told to end by %s as by a terminal, ends everything and exits with 0",
  async (signal) => {
    // By the pnpm that runs this test, and in a process group of its own: a terminal's Ctrl-C reaches the whole group.
    const dev = spawn(process.env["npm_execpath"] ?? "pnpm", ["dev"], {
      cwd: ROOT,
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, ...ONE_OF_EACH, DATA_DIR: dataDir, PORT: "0", DEMO_DATA: "0" },
    });
    const exit = new Promise((resolve) => dev.once("close", (code, by) => resolve(code ?? by)));
    let output = "";
    const ready = new Promise<void>((resolve) => {
      dev.stdout.on("data", (chunk: Buffer) => {
        output += chunk;
        if (/^ready /m.test(output)) resolve();
      });
    });
    await Promise.race([ready, exit]);
    expect(output).toMatch(/^ready http:/m);
    expect(output).not.toContain("sample");
    process.kill(-(dev.pid ?? 0), signal);
    expect(await exit).toBe(0);
    expect(existsSync(join(dataDir, "local-stack.lock"))).toBe(false);
  },
  // With stores of its own.
  120_000,
);
