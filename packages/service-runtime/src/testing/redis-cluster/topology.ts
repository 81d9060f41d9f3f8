import type { RedisNode } from "./node-process.ts";

const SLOTS = 16_384;

/** One line of `CLUSTER NODES`. */
export interface KnownNode {
  readonly id: string;
  readonly flags: readonly string[];
  /** Of the master that it follows; null for a master. */
  readonly follows: string | null;
  readonly slots: readonly (readonly [first: number, last: number])[];
}

/** The cluster as this node sees it. */
export async function topologyOf(node: RedisNode): Promise<KnownNode[]> {
  const lines = String(await node.call("CLUSTER", "NODES"))
    .trim()
    .split("\n");
  return lines.map((line) => {
    const [id = "", , flags = "", follows = "-", , , , , ...slots] = line.split(" ");
    return {
      ...{ id, flags: flags.split(","), follows: follows === "-" ? null : follows },
      // Those in brackets are being moved.
      slots: slots
        .filter((range) => !range.startsWith("["))
        .map((range) => {
          const [first = "", last = first] = range.split("-");
          return [Number(first), Number(last)] as const;
        }),
    };
  });
}

export function hasSlot({ slots }: KnownNode, slot: number): boolean {
  return slots.some(([first, last]) => first <= slot && slot <= last);
}

/** Whether the node serves all slots, and has its master's data if it is a replica. */
export async function isWhole(node: RedisNode): Promise<boolean> {
  const info = String(await node.call("CLUSTER", "INFO"));
  if (!info.includes("cluster_state:ok") || !info.includes(`cluster_slots_ok:${SLOTS}`)) return false;
  const replication = String(await node.call("INFO", "replication"));
  return replication.includes("role:master") || replication.includes("master_link_status:up");
}

/** Whether all of these nodes have one view of who is whose, and which slots are where. */
export async function doAgree(nodes: readonly RedisNode[]): Promise<boolean> {
  const views = await Promise.all(nodes.map(topologyOf));
  const texts = views.map((view) =>
    view
      .map(({ id, follows, slots }) => `${id} ${follows} ${slots.join(" ")}`)
      .sort()
      .join("\n"),
  );
  return new Set(texts).size <= 1;
}

/** Equal parts of all slots: `0-5460`, … */
export function slotRanges(masters: number): string[] {
  const first = (index: number): number => Math.round((index * SLOTS) / masters);
  return Array.from({ length: masters }, (_, index) => `${first(index)}-${first(index + 1) - 1}`);
}
