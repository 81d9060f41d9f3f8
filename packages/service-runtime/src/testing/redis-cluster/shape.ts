import { setTimeout as sleep } from "node:timers/promises";
import type { RedisNode } from "./node-process.ts";

/** Masters, replicas and slots, queried from the cluster each time. */
export function clusterShape(nodes: readonly RedisNode[]) {
  const running = (): RedisNode[] => nodes.filter(({ isRunning }) => isRunning);
  /** The topology as the first node that responds sees it: others may be paused. */
  const topology = async (): Promise<KnownNode[]> => await Promise.any(running().map(topologyOf));
  const known = async (filter: (node: KnownNode) => boolean): Promise<RedisNode[]> => {
    const ids = (await topology()).filter(filter).map(({ id }) => id);
    return nodes.filter(({ id }) => ids.includes(id));
  };
  const serves = (node: KnownNode): boolean => node.flags.includes("master") && !node.flags.includes("fail");
  const slotOf = async (key: string): Promise<number> =>
    Number(await Promise.any(running().map((node) => node.call("CLUSTER", "KEYSLOT", key))));
  return {
    slotOf,
    /** The serving masters, including one that was killed and not missed yet. */
    masters: () => known(serves),
    async masterOf(key: string): Promise<RedisNode> {
      const slot = await slotOf(key);
      const [master] = await known((node) => serves(node) && hasSlot(node, slot));
      if (!master) throw new Error(`nobody serves ${key}`);
      return master;
    },
    async slotsOf(master: RedisNode): Promise<number[]> {
      const ranges = (await topology()).find(({ id }) => id === master.id)?.slots ?? [];
      return ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index));
    },
    /** Waits until the running nodes serve all slots and agree on it, and the replicas have their master's data. */
    untilWhole: () =>
      until(async () => (await Promise.all(running().map(isWhole))).every(Boolean) && (await doAgree(running()))),
  };
}

/** At most 30 seconds. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 30_000; !(await condition().catch(() => false)); await sleep(25)) {
    if (Date.now() > deadline) throw new Error("the Redis cluster doesn't get ready within 30 s");
  }
}

const SLOTS = 16_384;

/** One line of `CLUSTER NODES`. */
interface KnownNode {
  readonly id: string;
  readonly flags: readonly string[];
  /** Its master's id; null for a master. */
  readonly follows: string | null;
  readonly slots: readonly (readonly [first: number, last: number])[];
}

/** The cluster as this node sees it. */
async function topologyOf(node: RedisNode): Promise<KnownNode[]> {
  const lines = String(await node.call("CLUSTER", "NODES"))
    .trim()
    .split("\n");
  return lines.map((line) => {
    const [id = "", , flags = "", follows = "-", , , , , ...slots] = line.split(" ");
    return {
      ...{ id, flags: flags.split(","), follows: follows === "-" ? null : follows },
      // Ranges in brackets are being migrated.
      slots: slots
        .filter((range) => !range.startsWith("["))
        .map((range) => {
          const [first = "", last = first] = range.split("-");
          return [Number(first), Number(last)] as const;
        }),
    };
  });
}

function hasSlot({ slots }: KnownNode, slot: number): boolean {
  return slots.some(([first, last]) => first <= slot && slot <= last);
}

/** Whether the node serves all slots, and has its master's data if it is a replica. */
async function isWhole(node: RedisNode): Promise<boolean> {
  const info = String(await node.call("CLUSTER", "INFO"));
  if (!info.includes("cluster_state:ok") || !info.includes(`cluster_slots_ok:${SLOTS}`)) return false;
  const replication = String(await node.call("INFO", "replication"));
  return replication.includes("role:master") || replication.includes("master_link_status:up");
}

/** Whether all of these nodes agree on replicas, masters and their slots. */
async function doAgree(nodes: readonly RedisNode[]): Promise<boolean> {
  const views = await Promise.all(nodes.map(topologyOf));
  const texts = views.map((view) =>
    view
      .map(({ id, follows, slots }) => `${id} ${follows} ${slots.join(" ")}`)
      .sort()
      .join("\n"),
  );
  return new Set(texts).size <= 1;
}
