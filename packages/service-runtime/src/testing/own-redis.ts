import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { freePort } from "../process/free-port.ts";

/** Each write is on the disk before it is acknowledged. */
export const DURABLE = ["--appendonly", "yes", "--appendfsync", "always"];

export type RedisProcess = ReturnType<typeof redisProcess>;

interface Login {
  readonly port: number;
  readonly password?: string;
  readonly tls?: { readonly rejectUnauthorized: boolean };
}

/** A redis-server on 127.0.0.1, not started yet. Only the test restarts it after a kill. */
export function redisProcess(args: readonly string[], login: Login) {
  let child: ChildProcess | undefined;
  let connection: Redis | undefined;
  const end = (): void => void child?.kill("SIGKILL");
  /** True from its start until it is killed, also while it is paused. */
  const isRunning = (): boolean =>
    child !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    isRunning,
    /** Sends a command on the test's own connection. */
    call: async (command: string, ...rest: readonly (string | number)[]) =>
      await connection?.call(command, ...rest),
    /** A new process after {@link kill}, with the data on disk. */
    async start(): Promise<void> {
      child = spawn("redis-server", ["--bind", "127.0.0.1", "--save", "", ...args], {
        stdio: "ignore",
      });
      process.once("exit", end);
      const patience = {
        retryStrategy: () => 20,
        maxRetriesPerRequest: null,
        commandTimeout: 10_000,
      };
      connection = new Redis({ host: "127.0.0.1", ...patience, ...login });
      connection.on("error", () => {});
      // Redis answers once it has read its files.
      await connection.ping();
    },
    async kill(): Promise<void> {
      connection?.disconnect();
      process.off("exit", end);
      if (!child || !isRunning()) return;
      const ended = once(child, "exit");
      end();
      await ended;
    },
    /** SIGSTOP: it accepts connections and does not reply. */
    pause: () => void child?.kill("SIGSTOP"),
    resume: () => void child?.kill("SIGCONT"),
  };
}

export type OwnRedis = Awaited<ReturnType<typeof ownRedis>>;

/** A Redis that a test may stop, kill and empty. Default: it writes nothing to the disk. */
export async function ownRedis({ durable = false } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-own-redis-"));
  const port = await freePort();
  const server = redisProcess(
    ["--port", String(port), "--dir", folder, ...(durable ? DURABLE : [])],
    { port },
  );
  await server.start();
  return {
    ...server,
    url: `redis://127.0.0.1:${port}/0`,
    async stop(): Promise<void> {
      await server.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
