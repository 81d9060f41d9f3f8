import type { ResponseRecord } from "../../records.ts";
import type { SyncState } from "./sync-state.ts";

/** What to do to your copy, in one transaction: `reset`, then `responses` in their order, then `deletedIds`, then keep `state`. */
export interface SyncBatch {
  /** A full copy begins: delete what you have of this shop. */
  readonly reset: boolean;
  /** New and changed ones, at most 1000. Each replaces the one that you have with its id. */
  readonly responses: readonly ResponseRecord[];
  /** Of responses to delete. You may not have all of them. */
  readonly deletedIds: readonly string[];
  readonly state: SyncState;
}

export function syncBatch(
  state: SyncState,
  contents: Partial<Pick<SyncBatch, "reset" | "responses" | "deletedIds">> = {},
): SyncBatch {
  return { reset: false, responses: [], deletedIds: [], ...contents, state };
}
