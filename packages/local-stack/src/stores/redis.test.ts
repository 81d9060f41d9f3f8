import { access, constants, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { freshDatabase } from "@partner-connect/database/testing";
import { freePort } from "@partner-connect/service-runtime/free-port";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type DevProcess, startDev } from "../testing/dev-process.ts";
import { type BareMachine, bareMachine, type StandInOptions } from "../testing/stand-in-apt-get.ts";
import { removeData } from "../testing.ts";

/** Of this machine; where Redis runs in a container only, there is none to install. */
const redisServer = await firstOf(["redis-server", "valkey-server"]);

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "partner-connect-dev-"));
});

afterEach(() => removeData(dataDir));

async function machine(options: Omit<StandInOptions, "redisServer"> = {}): Promise<BareMachine> {
  const made = await bareMachine({ redisServer: redisServer ?? "", ...options });
  onTestFinished(() => made.remove());
  return made;
}

/** A machine without a container engine, which has a Postgres already. */
async function startDevOn({ path }: BareMachine): Promise<DevProcess> {
  const database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  const dev = startDev({
    PATH: path,
    DOCKER_HOST: "unix:///nonexistent",
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    DEMO_DATA: "0",
    AUTHORIZATION_SERVER_REPLICAS: "1",
    RESOURCE_SERVER_REPLICAS: "1",
  });
  onTestFinished(async () => {
    dev.process.kill("SIGTERM");
    await dev.exit;
    await database.drop();
  });
  return dev;
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

const asRoot = process.getuid?.() === 0 && redisServer !== null;

describe.runIf(asRoot)("where Redis is missing, and root runs dev", () => {
  test("one installation serves both Redis, and is announced once", { timeout: 120_000 }, async () => {
    const bare = await machine();
    const dev = await startDevOn(bare);
    await dev.ready();
    expect(await bare.calls()).toEqual(["update", "install"]);
    expect(occurrences(dev.output(), "Redis is missing on this machine: installing it by apt-get")).toBe(1);
    dev.process.kill("SIGINT");
    expect(await dev.exit).toBe(0);
  });

  test("an installation that fails ends it, with apt's own words and what to do", {
    timeout: 120_000,
  }, async () => {
    const bare = await machine({ install: "echo 'E: Unable to locate package redis-server' >&2; exit 100" });
    const dev = await startDevOn(bare);
    expect(await dev.exit).toBe(1);
    expect(occurrences(dev.output(), "E: Unable to locate package redis-server")).toBe(1);
    expect(dev.output()).toContain("start Docker, or set REDIS_URL");
    expect(await bare.calls()).toEqual(["update", "install"]);
  });

  test("one that finds another apt-get at work waits for it", { timeout: 120_000 }, async () => {
    const bare = await machine();
    await bare.lock();
    const dev = await startDevOn(bare);
    await bare.refused();
    await bare.unlock();
    await dev.ready();
  });
});

test("where there is no apt-get either, one line says how to get Redis", { timeout: 120_000 }, async () => {
  const dev = await startDevOn(await machine({ noAptGet: true }));
  expect(await dev.exit).toBe(1);
  expect(dev.output()).toMatch(/^Redis is missing: install it \(Debian, Ubuntu: apt-get install redis-server; .*$/m);
  expect(dev.output()).not.toMatch(/\n {4}at /);
});

async function firstOf(names: readonly string[]): Promise<string | null> {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    for (const name of names) {
      const path = join(folder, name);
      if (
        await access(path, constants.X_OK).then(
          () => true,
          () => false,
        )
      )
        return path;
    }
  }
  return null;
}
