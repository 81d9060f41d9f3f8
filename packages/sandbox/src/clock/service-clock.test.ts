import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { freshDatabase } from "@partner-connect/database/testing";
import { expect, test } from "vitest";

const SERVICE_CLOCK = fileURLToPath(new URL("service-clock.ts", import.meta.url));
const DATABASE = fileURLToPath(new URL("../../../database/src/index.ts", import.meta.url));
const YEAR = 365 * 86_400_000;

function start(script: string, { channel, env = {} }: { channel: boolean; env?: Record<string, string> }) {
  const args = ["--import", SERVICE_CLOCK, "--input-type=module", "--eval", script];
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe", ...(channel ? (["ipc"] as const) : [])],
  });
  const ended = Promise.all([text(child.stdout as never), text(child.stderr as never), once(child, "close")]);
  return { child, outcome: ended.then(([stdout, stderr, [code]]) => ({ stdout, stderr, code })) };
}

test("every way to ask for the time is told the sandbox's, from the first line on, and exact dates stay as they are", async () => {
  const script = `console.log(JSON.stringify([Date.now(), +new Date(), Date.parse(Date()), new Date(Date.now()).getTime(),
    new Date("2026-01-02T03:04:05Z").toISOString(), new Date(2026, 0, 2) instanceof Date, new Date().constructor === Date,
    new (class extends Date {})() instanceof Date, Date.UTC(2026, 0), structuredClone(new Date(5)).getTime()]))`;
  const before = Date.now();
  const { child, outcome } = start(script, { channel: true });
  child.send({ sandboxClock: true, movedBy: YEAR });
  const [confirmed] = await once(child, "message");
  expect(confirmed).toEqual({ sandboxClock: true, movedBy: YEAR });
  const { stdout, stderr, code } = await outcome;
  expect([stderr, code]).toEqual(["", 0]);
  const [a, b, c, d, ...rest] = JSON.parse(stdout);
  for (const time of [a, b, c, d]) {
    expect(time - YEAR).toBeGreaterThan(before - 1000); // Date() has no milliseconds
    expect(time - YEAR).toBeLessThanOrEqual(Date.now());
  }
  expect(rest).toEqual(["2026-01-02T03:04:05.000Z", true, true, true, Date.UTC(2026, 0), 5]);
});

test.each([
  ["without a sandbox that moves it", { channel: false }, /only 'pnpm sandbox' can move it/],
  ["in production", { channel: true, env: { NODE_ENV: "production" } }, /it is not for production/],
])("a process %s refuses the clock in one line", async (_where, options, why) => {
  const { stdout, stderr, code } = await start("console.log('serves')", options).outcome;
  expect([stdout, code]).toEqual(["", 1]);
  expect(stderr).toMatch(why);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
});

test("a process with the clock refuses a database without it, in one line", async () => {
  const database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  try {
    const script = `const { connectDatabase, requireOwnClock } = await import(${JSON.stringify(DATABASE)});
      await requireOwnClock(connectDatabase(process.env.DATABASE_URL, { name: "test" })); console.log("serves")`;
    const { child, outcome } = start(script, { channel: true, env: { DATABASE_URL: database.url } });
    child.send({ sandboxClock: true, movedBy: 0 });
    expect(await outcome).toEqual({
      stdout: "",
      stderr: "configuration: this process follows the clock of a sandbox, and DATABASE_URL is not a sandbox's\n",
      code: 1,
    });
  } finally {
    await database.drop();
  }
});
