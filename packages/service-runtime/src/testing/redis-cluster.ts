import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../process/free-port.ts";
import { DURABLE, redisProcess } from "./own-redis.ts";

export interface RedisClusterOptions {
  /** Replicas of each master; default: 1. */
  readonly replicas?: number;
  /** Each write is on the disk before it is acknowledged. Default: false, nothing is written. */
  readonly durable?: boolean;
  /** More of redis-server's arguments, such as `["--maxmemory", "64mb"]`. */
  readonly settings?: readonly string[];
  /** Milliseconds until a silent node counts as failed (1000). Loaded machines need more. */
  readonly nodeTimeout?: number;
  /** The password of the user `default`. */
  readonly password?: string;
  /** PEM files; the certificate is its own authority, and clients need none. Nodes use TLS too. */
  readonly tls?: { readonly certificate: string; readonly key: string };
}

/** The slots of each master. */
const SLOTS = ["0-5460", "5461-10922", "10923-16383"];

/** One redis-server in cluster mode. Only the test restarts it after a kill. */
export type RedisNode = Awaited<ReturnType<typeof makeNode>>;

export type RedisCluster = Awaited<ReturnType<typeof startRedisCluster>>;

/** A Redis Cluster of real processes on 127.0.0.1. A master waits two seconds before it serves. */
export async function startRedisCluster(options: RedisClusterOptions = {}) {
  const { replicas = 1, password, tls } = options;
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-redis-cluster-"));
  const nodes: RedisNode[] = [];
  while (nodes.length < SLOTS.length * (1 + replicas)) nodes.push(await makeNode(folder, options));
  for (const node of nodes) await writeFile(join(node.data, "nodes.conf"), nodesFile(node, nodes));
  const hosts = nodes
    .slice(0, SLOTS.length)
    .map(({ port }) => `${tls ? "localhost" : "127.0.0.1"}:${port}`);
  const user = password === undefined ? "" : `:${encodeURIComponent(password)}@`;

  const running = (): RedisNode[] => nodes.filter((node) => node.isRunning());
  /** The answer of the first node that responds: others may be paused. */
  const ask = (...command: readonly string[]) =>
    Promise.any(running().map((node) => node.call("CLUSTER", ...command)));
  const slotOf = async (key: string): Promise<number> => Number(await ask("KEYSLOT", key));
  const ranges = async () => (await ask("SLOTS")) as SlotRange[];
  const cluster = {
    /** `redis+cluster://…` with all masters of the start. */
    url: `${tls ? "rediss" : "redis"}+cluster://${user}${hosts.join()}`,
    /** Masters first, then their replicas in the same order. */
    nodes,
    slotOf,
    /** The masters, including a killed one until its replica is promoted. */
    async masters(): Promise<RedisNode[]> {
      const ids = (await ranges()).map(([, , [, , id]]) => id);
      return nodes.filter(({ id }) => ids.includes(id));
    },
    async masterOf(key: string): Promise<RedisNode> {
      const slot = await slotOf(key);
      const range = (await ranges()).find(([first, last]) => first <= slot && slot <= last);
      return (
        nodes.find(({ id }) => id === range?.[2][2]) ??
        Promise.reject(new Error(`nobody serves ${key}`))
      );
    },
    async slotsOf(master: RedisNode): Promise<number[]> {
      const own = (await ranges()).filter(([, , [, , id]]) => id === master.id);
      return own.flatMap(([first, last]) =>
        Array.from({ length: last - first + 1 }, (_, index) => first + index),
      );
    },
    /** Waits until all slots are served and replicas have their data, for half a minute at most. */
    async untilWhole(): Promise<void> {
      const isWhole = async () => new Set(await Promise.all(running().map(viewOf))).size === 1;
      for (
        const deadline = Date.now() + 30_000;
        !(await isWhole().catch(() => false));
        await sleep(25)
      ) {
        if (Date.now() > deadline)
          throw new Error("the Redis cluster doesn't get ready within 30 s");
      }
    },
    /** Moves slots with their keys while they are used: the source answers `ASK`, then `MOVED`. */
    async moveSlots(from: RedisNode, to: RedisNode, slots: readonly number[]): Promise<void> {
      for (const slot of slots) {
        await to.call("CLUSTER", "SETSLOT", slot, "IMPORTING", from.id);
        await from.call("CLUSTER", "SETSLOT", slot, "MIGRATING", to.id);
        for (;;) {
          const keys = (await from.call("CLUSTER", "GETKEYSINSLOT", slot, 10)) as string[];
          if (keys.length === 0) break;
          await from.call("MIGRATE", "127.0.0.1", to.port, "", 0, 5000, "KEYS", ...keys);
        }
        // The target first, so that the slot always has a master.
        for (const node of [to, from]) await node.call("CLUSTER", "SETSLOT", slot, "NODE", to.id);
      }
    },
    async stop(): Promise<void> {
      await Promise.all(nodes.map((node) => node.kill()));
      await rm(folder, { recursive: true, force: true });
    },
  };
  try {
    await Promise.all(nodes.map((node) => node.start()));
    await cluster.untilWhole();
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/** Writes a node's list of the other nodes, so that the cluster is complete from its start. */
function nodesFile(self: RedisNode, nodes: readonly RedisNode[]): string {
  const lines = nodes.map((node, index) => {
    const shard = index % SLOTS.length;
    const role = index === shard ? "master -" : `slave ${nodes[shard]?.id}`;
    const address = `127.0.0.1:${node.port}@${node.busPort}`;
    const line = `${node.id} ${address} ${node === self ? "myself," : ""}${role} 0 0 ${shard + 1} connected`;
    return index === shard ? `${line} ${SLOTS[shard]}` : line;
  });
  return [...lines, `vars currentEpoch ${SLOTS.length} lastVoteEpoch 0`, ""].join("\n");
}

type Server = [address: string, port: number, id: string];

/** An entry of `CLUSTER SLOTS`. */
type SlotRange = [first: number, last: number, master: Server, ...replicas: Server[]];

/** The cluster as a node sees it. @throws unless all slots are served and replicas have all. */
async function viewOf(node: RedisNode): Promise<string> {
  const info = String(await node.call("CLUSTER", "INFO"));
  const [role, , , link] = (await node.call("ROLE")) as string[];
  const isWhole =
    /cluster_state:ok.*cluster_slots_ok:16384/s.test(info) &&
    (role === "master" || link === "connected");
  if (!isWhole) throw new Error("it is not whole");
  const ranges = (await node.call("CLUSTER", "SLOTS")) as SlotRange[];
  return ranges
    .map(([first, last, master, ...replicas]) =>
      JSON.stringify([first, last, master, replicas.sort()]),
    )
    .sort()
    .join("\n");
}

function nodeArguments({
  durable = false,
  nodeTimeout = 1000,
  settings = [],
  password,
  tls,
}: RedisClusterOptions) {
  return [
    ...["--cluster-announce-ip", "127.0.0.1", "--cluster-enabled", "yes"],
    ...["--cluster-node-timeout", String(nodeTimeout), "--cluster-allow-replica-migration", "no"],
    // If one shard is down, the keys of the others are still served.
    ...["--cluster-require-full-coverage", "no", "--repl-diskless-sync-delay", "0"],
    ...(durable ? DURABLE : []),
    ...(tls
      ? ["--tls-cluster", "yes", "--tls-replication", "yes", "--tls-auth-clients", "no"]
      : []),
    ...(tls
      ? [
          "--tls-cert-file",
          tls.certificate,
          "--tls-key-file",
          tls.key,
          "--tls-ca-cert-file",
          tls.certificate,
        ]
      : []),
    ...(password === undefined ? [] : ["--requirepass", password, "--masterauth", password]),
    ...settings,
  ];
}

/** The node, not started yet. */
async function makeNode(folder: string, options: RedisClusterOptions) {
  const { password, tls } = options;
  const [id, port, busPort] = [randomBytes(20).toString("hex"), await freePort(), await freePort()];
  const data = join(folder, id);
  await mkdir(data);
  const listen = tls ? ["--port", "0", "--tls-port", String(port)] : ["--port", String(port)];
  const files = ["--cluster-port", String(busPort), "--dir", data, "--logfile", join(data, "log")];
  const login = {
    port,
    ...(password !== undefined && { password }),
    ...(tls && { tls: { rejectUnauthorized: false } }),
  };
  const server = redisProcess([...listen, ...files, ...nodeArguments(options)], login);
  /** `id` is the node's id in the cluster. After a restart the node rejoins under the same id. */
  return { ...{ id, port, busPort, data }, ...server };
}
