import type { ShopClient } from "../shop/shop-client.ts";
import type { SyncState } from "../shop/sync/sync-state.ts";
import type { FollowOptions } from "./follow-options.ts";
import type { PendingConnection } from "./follow-state.ts";

export interface SyncContext {
  readonly options: FollowOptions;
  readonly shop: ShopClient;
  readonly signal: AbortSignal;
  /** Whether another connection shall have its turn now. */
  isLate(): boolean;
}

/** `apply` has refused a batch, as the copy's state is another by now. */
export class CopyMoved extends Error {
  constructor() {
    super("the copy's state is not the one that was read: does another process keep this copy?");
  }
}

/** Does what is pending for one connection. False: it has stopped on the way, as it was late. @throws what the callbacks and calls throw */
export async function syncConnection(pending: PendingConnection, context: SyncContext): Promise<boolean> {
  const { connection_id: connectionId, shop_id: shopId, status, kinds } = pending;
  const { options, shop, signal } = context;
  const connection = { connectionId, shopId };
  if (kinds.includes("connection")) await options.connectionChanged?.({ ...connection, status });
  // A connection that comes back has everything new.
  if (status !== "connected" && status !== "unknown") return true;
  if (kinds.includes("questions") && options.applyQuestions) {
    const questions = [];
    for await (const question of shop.listQuestions({ signal })) questions.push(question);
    await options.applyQuestions(questions, connection);
  }
  if (!["responses", "deletions", "check"].some((kind) => kinds.includes(kind))) return true;

  let previous = (await options.readCopyState(connectionId)) ?? null;
  const isTrue = !kinds.includes("check") || previous === null || (await isStillThere(shop, previous, signal));
  for await (const batch of shop.syncResponses(isTrue ? previous : null, { signal })) {
    const isApplied = await options.apply(batch, { ...connection, previous });
    if (isApplied === false) throw new CopyMoved();
    previous = batch.state;
    signal.throwIfAborted();
    if (context.isLate()) return false;
  }
  return true;
}

/**
 * Whether the shop has what the copy has read last, as it was. A shop's changes are committed in the order of their times, so it then has
 * all that the copy has. If not, its database was set back to an earlier time, or the record has changed since: a full copy puts both right.
 */
async function isStillThere(
  shop: ShopClient,
  { response, deletion }: SyncState,
  signal: AbortSignal,
): Promise<boolean> {
  if (response) {
    const { updated_at: at } = response;
    const same = shop.listResponses({ sort: "updated_at_desc", updated_at_min: at, updated_at_max: at, signal });
    if (!(await has(same, response.id))) return false;
  }
  if (!deletion) return true;
  const { deleted_at: at } = deletion;
  return await has(shop.listDeletedResponses({ deleted_at_min: at, deleted_at_max: at, signal }), deletion.id);
}

async function has(records: AsyncIterable<{ readonly id: string }>, id: string): Promise<boolean> {
  for await (const record of records) if (record.id === id) return true;
  return false;
}
