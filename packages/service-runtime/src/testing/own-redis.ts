import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { freePort } from "../process/free-port.ts";

export type OwnRedis = Awaited<ReturnType<typeof ownRedis>>;

/** A separate Redis process, for a test that stops, kills and empties it. */
export async function ownRedis() {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-own-redis-"));
  const port = await freePort();
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
  const url = `redis://127.0.0.1:${port}/0`;
  let server: ChildProcess;
  const start = async (): Promise<void> => {
    server = spawn("redis-server", args, { stdio: "ignore" });
    const redis = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
    redis.on("error", () => {});
    await redis.ping();
    redis.disconnect();
  };
  const kill = async (): Promise<void> => {
    const ended = once(server, "exit");
    server.kill("SIGKILL");
    await ended;
  };
  await start();
  return {
    url,
    /** On a connection of the test, not the service's. */
    async command(name: string, ...rest: string[]): Promise<unknown> {
      const redis = new Redis(url);
      try {
        return await redis.call(name, ...rest);
      } finally {
        redis.disconnect();
      }
    },
    /** SIGKILL. */
    kill,
    /** A new process after {@link kill}, on the same port. */
    start,
    async stop(): Promise<void> {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
