import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startRedis } from "@partner-connect/local-stack/testing";
import { isRedisCluster, type RedisClusterOptions, startRedisCluster } from "@partner-connect/service-runtime/testing";
import { Redis } from "ioredis";

/** As in production each write is on the disk first. A node that a busy machine stops for seconds isn't given up. */
export const PATIENT_CLUSTER: RedisClusterOptions = { durable: true, nodeTimeout: 15_000 };

/** A Redis of a test's own, with its data on the disk: one server, or a cluster where the run is on one, which breaks as a whole. */
export interface BreakableRedis {
  readonly url: string;
  /** `kill -9`; it is started again, with its data. */
  kill(): Promise<void>;
  /** Until {@link start}, it refuses connections. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** SIGSTOP: it accepts connections and answers nothing. */
  pause(): void;
  resume(): void;
  /** Sends a command to every server that accepts writes. */
  command(name: string, ...args: readonly string[]): Promise<void>;
  remove(): Promise<void>;
}

export async function breakableRedis(): Promise<BreakableRedis> {
  return isRedisCluster(process.env["TEST_REDIS_URL"]) ? await breakableCluster() : await breakableServer();
}

async function breakableServer(): Promise<BreakableRedis> {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-redis-"));
  let server = await startRedis({ dataDir: folder });
  const { url } = server;
  const signal = (name: NodeJS.Signals): void => void process.kill(server.pid ?? 0, name);
  return {
    url,
    kill: async () => signal("SIGKILL"),
    stop: () => server.stop(),
    async start() {
      server = await startRedis({ dataDir: folder, port: Number(new URL(url).port) });
    },
    pause: () => signal("SIGSTOP"),
    resume: () => signal("SIGCONT"),
    async command(name, ...args) {
      const client = new Redis(url);
      await client.call(name, ...args).finally(() => client.disconnect());
    },
    async remove() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function breakableCluster(): Promise<BreakableRedis> {
  const cluster = await startRedisCluster(PATIENT_CLUSTER);
  const all = (act: (node: (typeof cluster.nodes)[number]) => unknown) => Promise.all(cluster.nodes.map(act));
  const stop = async (): Promise<void> => void (await all((node) => node.kill()));
  const start = async (): Promise<void> => void (await all((node) => node.start()));
  return {
    url: cluster.url,
    async kill() {
      await stop();
      await start();
    },
    stop,
    start,
    pause: () => void all((node) => node.pause()),
    resume: () => void all((node) => node.resume()),
    async command(name, ...args) {
      for (const master of await cluster.masters()) await master.call(name, ...args);
    },
    remove: () => cluster.stop(),
  };
}
