import { setTimeout as sleep } from "node:timers/promises";
import type { RedisNode } from "./node-process.ts";
import { doAgree, hasSlot, isWhole, type KnownNode, topologyOf } from "./topology.ts";

/** Who is whose, and which slots are where: asked of the cluster each time. */
export interface ClusterShape {
  /** Those that serve, also one that was killed and not missed yet. */
  masters(): Promise<RedisNode[]>;
  /** Who serves the key. */
  masterOf(key: string): Promise<RedisNode>;
  slotOf(key: string): Promise<number>;
  slotsOf(master: RedisNode): Promise<number[]>;
  /** Waits until the nodes that run serve all slots and agree on it, and the replicas have their master's data. */
  untilWhole(): Promise<void>;
}

export function clusterShape(nodes: readonly RedisNode[]): ClusterShape {
  const running = (): RedisNode[] => nodes.filter(({ isRunning }) => isRunning);
  /** As the first node that answers has it: one of them may be stopped. */
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
    masters: () => known(serves),
    async masterOf(key) {
      const slot = await slotOf(key);
      const [master] = await known((node) => serves(node) && hasSlot(node, slot));
      if (!master) throw new Error(`nobody serves ${key}`);
      return master;
    },
    async slotsOf(master) {
      const ranges = (await topology()).find(({ id }) => id === master.id)?.slots ?? [];
      return ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index));
    },
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
