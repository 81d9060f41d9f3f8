import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { connectRedis, requireRedis } from "@partner-connect/service-runtime";
import pRetry from "p-retry";
import { administratorEnvironment, searchPath } from "../config.ts";
import {
  fixedInterval,
  lastLines,
  type StackContext,
  StartFailure,
  startProcess,
} from "../processes.ts";
import { type StoreSpec, startStore } from "./store.ts";

const execute = promisify(execFile);

const SETTINGS = {
  /**
   * Stores codes, tokens and sign-ins, so it acknowledges a write only when the write is on disk,
   * and refuses writes when it is full.
   */
  redis: [
    ...["--save", "", "--appendonly", "yes", "--appendfsync", "always"],
    ...["--maxmemory", "256mb", "--maxmemory-policy", "noeviction"],
  ],
  /**
   * Stores counters and cursor positions, without an append-only file, so that no call of the API
   * waits for the disk or fails because it is full. A crash loses the last ten seconds. When memory
   * is full, the least recently used keys are evicted.
   */
  "resource-server-redis": [
    ...[
      "--save",
      "10 1",
      "--rdbcompression",
      "no",
      "--stop-writes-on-bgsave-error",
      "no",
      "--appendonly",
      "no",
    ],
    ...["--maxmemory", "128mb", "--maxmemory-policy", "allkeys-lru"],
  ],
};

type RedisSpec = StoreSpec & { readonly name: keyof typeof SETTINGS };

export async function startRedisStore(spec: RedisSpec, context: StackContext) {
  const { name, dataDir, port, password, log } = spec;
  // Each of many test files has its own database.
  const settings = ["--databases", "1024", ...SETTINGS[name]];
  return await startStore(spec, context, {
    image: "valkey/valkey:8",
    port: 6379,
    env: {},
    command: ["valkey-server", "--requirepass", password, ...settings],
    target: "/data",
    stopSignal: "SIGTERM",
    url: (host) => `redis://:${password}@${host}:${port}`,
    serves: awaitRedis,
    async startNatively() {
      found ??= findOrInstallRedis(context); // one installation for both
      const command = await found;
      const folder = join(dataDir, name);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const listen = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder];
      const url = `redis://127.0.0.1:${port}`;
      const args = [...listen, ...settings];
      const env = { PATH: searchPath() };
      const serves = () => awaitRedis(url);
      return await startProcess({ name, url, command, args, env, log, serves }, context);
    },
  });
}

/**
 * Waits until a server or cluster accepts a write. Throws the reason if it does not, for example
 * while Redis loads its file.
 */
export async function awaitRedis(url: string): Promise<void> {
  const redis = connectRedis(url, "local-stack");
  await pRetry(() => requireRedis(redis), fixedInterval(20, 1000)).finally(() =>
    redis.disconnect(),
  );
}

const HOW_TO_GET_IT =
  "install it (Debian, Ubuntu: apt-get install redis-server; macOS: brew install redis), start Docker, or set REDIS_URL";

let found: Promise<string> | undefined;

/**
 * Finds the Redis or Valkey server on the PATH. If there is none, root on Debian installs Redis.
 * @throws {StartFailure} without any
 */
async function findOrInstallRedis({ report, signal }: StackContext): Promise<string> {
  const program = await findOnPath("redis-server", "valkey-server");
  if (program) return program;
  if (process.getuid?.() !== 0 || !(await findOnPath("apt-get")))
    throw new StartFailure(`Redis is missing: ${HOW_TO_GET_IT}`);
  report("Redis is missing on this machine: installing it by apt-get install redis-server");
  await aptInstall(signal).catch((error: Error & { stderr?: string }) => {
    signal?.throwIfAborted();
    const why = lastLines(error.stderr || error.message);
    throw new StartFailure(
      `apt-get could not install redis-server:\n${why}\nRedis: ${HOW_TO_GET_IT}`,
    );
  });
  return (await findOnPath("redis-server")) ?? "redis-server";
}

async function findOnPath(...names: readonly string[]): Promise<string | null> {
  const script = 'for name; do command -v "$name" && exit; done; exit 1';
  const options = { env: { PATH: searchPath() } };
  return await execute("/bin/sh", ["-c", script, "sh", ...names], options).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  );
}

/**
 * Installs redis-server. Retries while another apt-get holds the lock, such as the upgrades of a
 * new machine: apt-get's own timeout doesn't cover `update`.
 */
async function aptInstall(signal: AbortSignal | undefined): Promise<void> {
  // Only the program is wanted: RUNLEVEL=1 keeps Debian from starting the service. SIGINT leaves no
  // package half installed.
  const env = { ...administratorEnvironment(), DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  const run = (...args: string[]) =>
    execute("apt-get", args, { env, killSignal: "SIGINT", ...(signal && { signal }) });
  const install = async () => {
    await run("update", "-qq");
    await run("install", "-y", "-qq", "--no-install-recommends", "redis-server");
  };
  const isLocked = ({ error }: { error: Error & { stderr?: string } }) =>
    /get lock/.test(error.stderr ?? "");
  await pRetry(install, { ...fixedInterval(500, 5 * 60_000), shouldRetry: isLocked });
}
