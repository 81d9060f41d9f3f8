import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connectDatabase } from "@partner-connect/database";
import { freePort } from "@partner-connect/service-runtime/free-port";
import { afterAll, beforeAll, expect, test } from "vitest";
import { STACK_SETTINGS } from "./config.ts";
import { isRunning } from "./data-folder.ts";
import type { LocalStackState } from "./local-stack.ts";
import { startProcess } from "./processes.ts";
import { gatewayCommand } from "./services.ts";
import { removeData } from "./testing.ts";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));
const dataDir = mkdtempSync(join(tmpdir(), "partner-connect-dev-"));
let port: number;
let dev: DevProcess;

interface DevProcess {
  readonly process: ChildProcess;
  output(): string;
  readonly exit: Promise<number | null>;
  /** Resolves with the address that the process prints once everything is up. */
  ready(): Promise<string>;
}

/** `pnpm dev`, without pnpm. */
function startDev(env: Record<string, string> = {}): DevProcess {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH, HOME, DATA_DIR: dataDir, PORT: String(port), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk;
      const line = /^ready (.*)\n/m.exec(output)?.[1];
      if (line !== undefined) resolve(line);
    });
  }
  const exit = new Promise<number | null>((ends) => child.once("close", ends));
  void exit.then(() => reject(new Error(`dev ended:\n${output}`)));
  ready.catch(() => {});
  return { process: child, output: () => output, exit, ready: () => ready };
}

async function state(): Promise<LocalStackState> {
  return JSON.parse(await readFile(join(dataDir, "local-stack.json"), "utf8"));
}

async function pidOf(name: string): Promise<number> {
  const found = (await state()).processes.find((process) => process.name === name);
  if (!found) throw new Error(`no process ${name}`);
  return found.pid;
}

const pidsOfAll = async () => (await state()).processes.map(({ pid }) => pid);

beforeAll(async () => {
  port = await freePort();
  dev = startDev();
  await dev.ready();
}, 120_000);

afterAll(async () => {
  dev.process.kill("SIGTERM");
  await dev.exit;
  await removeData(dataDir);
});

test("the local stack prints its URL and the demo credentials once it is ready", async () => {
  expect(await dev.ready()).toBe(`http://localhost:${port}`);
  const demo = JSON.parse(await readFile(join(dataDir, "demo.json"), "utf8"));
  expect(dev.output()).toContain(demo.client.client_secret);
  expect(dev.output()).toContain(
    `internal API ${(await state()).internal_api_url}/internal/openapi.json\n`,
  );
  for (const { email, password } of demo.merchants)
    expect(dev.output()).toContain(`${email}   ${password}`);
  expect(dev.output()).toContain(`/partner: ${demo.partner.email}   ${demo.partner.password}`);
});

test("with `--help`, `pnpm dev` only prints its settings", () => {
  const { stdout } = spawnSync(process.execPath, [MAIN, "--help"], { encoding: "utf8" });
  for (const name of Object.keys(STACK_SETTINGS)) expect(stdout).toContain(` ${name}`);
});

test("a gateway fails to start if another stack has taken its port, though that one answers", async () => {
  const services = { authorizationServers: [], resourceServers: [] };
  const gateway = gatewayCommand({ dataDir, port, mailPort: null }, services);
  const second = { ...gateway, log: join(dataDir, "second.log") };
  const started = startProcess(second, { report() {}, pidChanged() {} });
  await expect(started).rejects.toThrow("EADDRINUSE");
});

test("the sample app at the printed URL can start an authorization with the demo client", async () => {
  const [, sample = ""] = /sample app (\S+):/.exec(dev.output()) ?? [];
  const headers = { origin: sample };
  const begun = await fetch(`${sample}/connect`, { method: "POST", headers, redirect: "manual" });
  const asked = await fetch(begun.headers.get("location") ?? "", { redirect: "manual" });
  expect(asked.headers.get("location")).toMatch(/\/oauth\/authorization\?request=/);
});

test("only the owner can read the local stack's files with secrets", async () => {
  for (const name of ["secrets.json", "demo.json", "signing-keys.json", "local-stack.json"]) {
    expect([name, (await stat(join(dataDir, name))).mode & 0o077]).toEqual([name, 0]);
  }
});

test("the first start loads three shops with 5,000 responses, readable with the first shop's API key", async () => {
  const sql = connectDatabase((await state()).database_url, { name: "test" });
  const [counts] = await sql`
    SELECT (SELECT count(*)::int FROM directory.merchants) AS merchants,
      (SELECT array_agg(plan ORDER BY plan) FROM directory.shops) AS plans,
      (SELECT count(*)::int FROM survey.responses) AS responses`;
  await sql.end();
  const plans = ["advanced_attribution", "standard", "standard"];
  expect(counts).toEqual({ merchants: 3, plans, responses: 5000 });
  const { api_key: apiKey } = JSON.parse(await readFile(join(dataDir, "demo.json"), "utf8"));
  const url = `http://localhost:${port}/api/responses?limit=2`;
  const read = async () => (await fetch(url, { headers: { authorization: apiKey } })).json();
  await expect.poll(read, { timeout: 20_000 }).toMatchObject({ data: [{}, {}] });
});

const TEST_DATABASE = { DATABASE_URL: process.env["TEST_DATABASE_URL"] ?? "" };
test.each<[env: Record<string, string>, line: RegExp]>([
  [{}, /^port \d+ is in use/m],
  [{ DATA_DIR: dataDir }, /^a local stack is running already in .* \(process \d+\)/m],
  [
    { DATA_DIR: "/dev/null/data" },
    /^DATA_DIR \/dev\/null\/data can't be used \(ENOTDIR: .*\): set it to a folder that can be written$/m,
  ],
  [
    { PORT: "0", DATABASE_URL: "postgres://postgres:x@127.0.0.1:9/x" },
    /^nothing answers at DATABASE_URL: connect ECONNREFUSED/m,
  ],
  [
    { PORT: "0", REDIS_URL: "redis://127.0.0.1:9" },
    /^nothing answers at REDIS_URL: .*ECONNREFUSED/m,
  ],
  [
    { PORT: "0", PATH: "/nowhere", DOCKER_HOST: "unix:///nonexistent", ...TEST_DATABASE },
    /^Redis is missing: install it \(Debian, Ubuntu: apt-get install redis-server; .*$/m,
  ],
  [
    { PORT: "http", RESOURCE_SERVER_REPLICAS: "33" },
    /^PORT is not a whole number from 0 to 65535: http; RESOURCE_SERVER_REPLICAS is not a whole number from 1 to 32: 33$/m,
  ],
])("a second `pnpm dev` exits with 1 and prints a line such as $1", async (env, line) => {
  const second = startDev({ DATA_DIR: join(dataDir, "other"), ...env });
  expect(await second.exit).toBe(1);
  expect(second.output()).toMatch(line);
  expect(second.output()).not.toMatch(/\n {4}at /);
});

test("a killed process is started again, and local-stack.json gets its new process id", async () => {
  const before = await pidOf("gateway");
  process.kill(before, "SIGKILL");
  await expect.poll(() => pidOf("gateway"), { timeout: 20_000, interval: 20 }).not.toBe(before);
  const read = () => fetch(`http://localhost:${port}/livez`).then(Boolean, () => false);
  await expect.poll(read, { timeout: 40_000 }).toBe(true);
  await expect.poll(() => dev.output()).toContain("gateway ended (SIGKILL), starting it again");
});

test("when the main process is killed, its children end too", async () => {
  const pids = await pidsOfAll();
  dev.process.kill("SIGKILL");
  await dev.exit;
  await expect.poll(() => pids.filter(isRunning), { timeout: 20_000 }).toEqual([]);
});

test("the start after a kill -9 ends leftover processes and reuses the existing data", async () => {
  dev = startDev();
  await dev.ready();
  const pids = await pidsOfAll();
  const keys = () => readFile(join(dataDir, "signing-keys.json"), "utf8");
  const before = await keys();
  const { internal_api_url } = await state();
  dev.process.kill("SIGKILL");
  await dev.exit;
  dev = startDev();
  await dev.ready();
  expect(pids.filter(isRunning)).toEqual([]);
  expect((await keys()) === before).toBe(true); // a failure prints no key
  expect((await state()).internal_api_url).toBe(internal_api_url);
  expect(dev.output()).toContain("demo credentials");
  expect(dev.output()).not.toContain("loading demo data");
});

test("SIGTERM ends all processes with exit code 0, even while the stack is starting", async () => {
  await expectEnded("SIGTERM");
  dev = startDev();
  await expect
    .poll(() => existsSync(join(dataDir, "processes.json")), { timeout: 60_000, interval: 10 })
    .toBe(true);
  dev.process.kill("SIGTERM");
  expect(await dev.exit).toBe(0);
  expect(dev.output()).not.toContain("ready");
  expect(existsSync(join(dataDir, "processes.json"))).toBe(false);
});

test("a start with another version's data exits with 1 and names the folder to delete", async () => {
  const INTERNAL_API_PORT = String(await freePort());
  dev = startDev({ INTERNAL_API_PORT });
  await dev.ready();
  expect((await state()).internal_api_url).toBe(`http://127.0.0.1:${INTERNAL_API_PORT}`);
  const sql = connectDatabase((await state()).database_url, { name: "test", connections: 1 });
  await sql`UPDATE public.schema_version SET md5 = 'other' WHERE version = 1`;
  await sql.end();
  await expectEnded("SIGINT");
  dev = startDev();
  expect(await dev.exit).toBe(1);
  expect(dev.output().trim().split("\n").at(-1)).toBe(
    "the database partner_connect was migrated by another version: its migration 1 roles differs from ours; " +
      `use that version, or delete the folder ${await realpath(dataDir)}`,
  );
});

async function expectEnded(signal: "SIGINT" | "SIGTERM"): Promise<void> {
  const pids = await pidsOfAll();
  dev.process.kill(signal);
  expect(await dev.exit).toBe(0);
  expect(pids.filter(isRunning)).toEqual([]);
  expect(existsSync(join(dataDir, "local-stack.json"))).toBe(false);
}
