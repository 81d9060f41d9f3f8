import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";

export interface TestRedis {
  readonly url: string;
  drop(): Promise<void>;
}

/** An empty numbered database of its own in the Redis that the test run started (`TEST_REDIS_URL`). */
export async function freshRedis(serverUrl: string | undefined): Promise<TestRedis> {
  if (!serverUrl) throw new Error("TEST_REDIS_URL is not set: run the tests with `pnpm test`");
  const server = new Redis(serverUrl);
  const number = await server.incr("test databases");
  server.disconnect();
  const url = `${serverUrl}/${number}`;
  return {
    url,
    async drop() {
      const redis = new Redis(url);
      await redis.flushdb();
      redis.disconnect();
    },
  };
}

export interface Door {
  readonly port: string;
  /** How many connections came. */
  readonly connections: number;
  /** How often something came in. */
  readonly chunks: number;
  /** From now on nothing passes, and nobody is told: on open connections, or on new ones as well. */
  freeze(which: "open" | "all"): void;
  /** New connections pass again. */
  thaw(): void;
  /** From now on nothing passes on any connection, until it goes on; nothing is lost. */
  hold(): void;
  goOn(): void;
  /** Ends the open connections. */
  cut(): void;
  close(): void;
}

/** A store behind a door that can be closed without a word. */
export async function doorTo(store: string | undefined): Promise<Door> {
  const target = new URL(store ?? "");
  const sockets = new Set<Socket>();
  let generation = 0;
  let staysFrozen = false;
  let isHeld = false;
  let [connections, chunks] = [0, 0];
  const door: Server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const mine = generation;
    connections++;
    near.on("data", () => void chunks++);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.setNoDelay();
      if (isHeld) from.pause();
      from.on("data", (chunk) => void (mine === generation && !staysFrozen && to.write(chunk)));
      from.on("close", () => to.destroy()).on("error", () => {});
    }
  });
  await new Promise<void>((resolve) => void door.listen(0, "127.0.0.1", resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    port: String((door.address() as { port: number }).port),
    get connections() {
      return connections;
    },
    get chunks() {
      return chunks;
    },
    freeze(which) {
      generation++;
      staysFrozen = which === "all";
    },
    thaw() {
      generation++;
      staysFrozen = false;
    },
    hold() {
      isHeld = true;
      for (const socket of sockets) socket.pause();
    },
    goOn() {
      isHeld = false;
      for (const socket of sockets) socket.resume();
    },
    cut,
    close() {
      door.close();
      cut();
    },
  };
}

/** A Redis process of its own, for a test that stops, kills and empties it. */
export interface OwnRedis {
  readonly url: string;
  /** Not by way of the service: what it answers says nothing of the service's connection. */
  command(name: string, ...args: string[]): Promise<unknown>;
  /** It holds still: connections are taken, nothing is answered. */
  pause(): void;
  resume(): void;
  /** SIGKILL, and up again with the last snapshot there is (`SAVE`). */
  killAndRestart(): Promise<void>;
  stop(): Promise<void>;
}

export async function ownRedis(): Promise<OwnRedis> {
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
    async command(name, ...rest) {
      const redis = new Redis(url);
      try {
        return await redis.call(name, ...rest);
      } finally {
        redis.disconnect();
      }
    },
    pause: () => void server.kill("SIGSTOP"),
    resume: () => void server.kill("SIGCONT"),
    async killAndRestart() {
      await kill();
      await start();
    },
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  return port;
}
