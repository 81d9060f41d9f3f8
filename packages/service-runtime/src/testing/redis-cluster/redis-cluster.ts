import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Login, makeNode, type RedisNode, writeNodesFile } from "./node-process.ts";
import { clusterShape } from "./shape.ts";

export interface RedisClusterOptions extends Login {
  /** Replicas of each master; default: 1. */
  readonly replicas?: number;
  /** Each write is on the disk before it is acknowledged. Default: false, nothing is written. */
  readonly durable?: boolean;
  /** More of redis-server's arguments, such as `["--maxmemory", "64mb"]`. */
  readonly settings?: readonly string[];
  /** Milliseconds after which a silent node counts as failed; default: 1000. A loaded machine needs more. */
  readonly nodeTimeout?: number;
}

/** The slots of each master. */
const SLOTS = ["0-5460", "5461-10922", "10923-16383"];

export type RedisCluster = Awaited<ReturnType<typeof startRedisCluster>>;

/** Starts a Redis Cluster of real processes on 127.0.0.1. It takes two seconds: a master waits that long before it serves. */
export async function startRedisCluster(options: RedisClusterOptions = {}) {
  const { replicas = 1, password, tls } = options;
  const login: Login = { password, tls };
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-redis-cluster-"));
  const settings = clusterSettings(options);
  const nodes: RedisNode[] = [];
  const addProcess = async (): Promise<RedisNode> => {
    const node = await makeNode({ name: `node-${nodes.length + 1}`, folder, settings, login });
    nodes.push(node);
    return node;
  };
  const shards: { master: RedisNode; replicas: RedisNode[]; slots: string }[] = [];
  for (const slots of SLOTS) shards.push({ master: await addProcess(), replicas: [], slots });
  for (const shard of shards) {
    for (let made = 0; made < replicas; made++) shard.replicas.push(await addProcess());
  }
  await Promise.all(nodes.map((node) => writeNodesFile(folder, node, shards)));
  const shape = clusterShape(nodes);
  const ports = shards.map(({ master }) => master.port);

  const cluster = {
    ...shape,
    /** `redis+cluster://…` with all masters of the start. */
    url: clusterUrl(login, ports),
    /** Masters first, then their replicas in the same order. */
    nodes,
    /** Moves slots with their keys one by one while they are used: `ASK`, then `MOVED`. */
    async moveSlots(from: RedisNode, to: RedisNode, slots: readonly number[]): Promise<void> {
      const plan = { from, to, masters: await shape.masters(), login };
      for (const slot of slots) await moveSlot(slot, plan);
    },
    async stop(): Promise<void> {
      await Promise.all(nodes.map((node) => node.kill()));
      await rm(folder, { recursive: true, force: true });
    },
  };
  try {
    await Promise.all(nodes.map((node) => node.start()));
    await shape.untilWhole();
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

function clusterSettings({ durable = false, nodeTimeout = 1000, settings = [] }: RedisClusterOptions): string[] {
  return [
    ...["--cluster-node-timeout", String(nodeTimeout), "--cluster-allow-replica-migration", "no"],
    // If one shard is down, the keys of the others are still served.
    ...["--cluster-require-full-coverage", "no", "--repl-diskless-sync-delay", "0", "--save", ""],
    ...(durable ? ["--appendonly", "yes", "--appendfsync", "always"] : []),
    ...settings,
  ];
}

/** The nodes in the format of `REDIS_URL`. */
function clusterUrl({ password, tls }: Login, ports: readonly number[]): string {
  const hosts = ports.map((port) => `${tls ? "localhost" : "127.0.0.1"}:${port}`).join(",");
  const user = password === undefined ? "" : `:${encodeURIComponent(password)}@`;
  return `${tls ? "rediss" : "redis"}+cluster://${user}${hosts}`;
}

const KEYS_AT_ONCE = 10;
const TIMEOUT_MS = 5000;

interface SlotMove {
  readonly from: RedisNode;
  readonly to: RedisNode;
  readonly masters: readonly RedisNode[];
  readonly login: Login;
}

/** During the move the source answers `ASK` for keys that it no longer has; after it, each master but the target answers `MOVED`. */
async function moveSlot(slot: number, { from, to, masters, login }: SlotMove): Promise<void> {
  await to.call("CLUSTER", "SETSLOT", slot, "IMPORTING", from.id);
  await from.call("CLUSTER", "SETSLOT", slot, "MIGRATING", to.id);
  const auth = login.password === undefined ? [] : ["AUTH", login.password];
  for (;;) {
    const keys = (await from.call("CLUSTER", "GETKEYSINSLOT", slot, KEYS_AT_ONCE)) as string[];
    if (keys.length === 0) break;
    await from.call("MIGRATE", "127.0.0.1", to.port, "", 0, TIMEOUT_MS, ...auth, "KEYS", ...keys);
  }
  // The target first, so that the slot always has a master.
  for (const node of [to, from, ...masters.filter((other) => other !== to && other !== from)]) {
    await node.call("CLUSTER", "SETSLOT", slot, "NODE", to.id);
  }
}
