import type { Login } from "./login.ts";
import type { RedisNode } from "./node-process.ts";

const KEYS_AT_ONCE = 10;
const TIMEOUT_MS = 5000;

interface SlotMove {
  readonly from: RedisNode;
  readonly to: RedisNode;
  /** All masters; the slot's new one is told to each. */
  readonly masters: readonly RedisNode[];
  readonly login: Login;
}

export async function moveSlot(slot: number, move: SlotMove): Promise<void> {
  for (const step of [beginMove, moveKeys, endMove]) await step(slot, move);
}

/** From now on the source sends who asks for a key that it has no more to the target (`ASK`). */
async function beginMove(slot: number, { from, to }: SlotMove): Promise<void> {
  await to.call("CLUSTER", "SETSLOT", slot, "IMPORTING", from.id);
  await from.call("CLUSTER", "SETSLOT", slot, "MIGRATING", to.id);
}

/** Moves the slot's keys, some at a time. */
async function moveKeys(slot: number, { from, to, login }: SlotMove): Promise<void> {
  const auth = login.password === undefined ? [] : ["AUTH", login.password];
  for (;;) {
    const keys = (await from.call("CLUSTER", "GETKEYSINSLOT", slot, KEYS_AT_ONCE)) as string[];
    if (keys.length === 0) return;
    await from.call("MIGRATE", "127.0.0.1", to.port, "", 0, TIMEOUT_MS, ...auth, "KEYS", ...keys);
  }
}

/** The slot is the target's (`MOVED`). The target knows it first, so that no slot is nobody's. */
async function endMove(slot: number, { to, from, masters }: SlotMove): Promise<void> {
  for (const node of [to, from, ...masters.filter((other) => other !== to && other !== from)]) {
    await node.call("CLUSTER", "SETSLOT", slot, "NODE", to.id);
  }
}
