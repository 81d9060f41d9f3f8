import type { ResponseRecord } from "../../records.ts";
import type { ResponseDocument, SomeResponses } from "./response-lines.ts";
import type { SyncState } from "./sync-state.ts";

/** What to do to your copy, in one transaction: `reset`, then `responses` in their order, then `deletedIds`, then keep `state`. */
export interface SyncBatch {
  /** A full copy begins: delete what you have of this shop. */
  readonly reset: boolean;
  /** New and changed ones, some thousand at most. Each replaces the one that you have with its id. */
  readonly responses: readonly ResponseRecord[];
  /** The same ones as JSON text: for copies that keep it as it is, which is faster, as nothing is parsed. */
  readonly documents: readonly ResponseDocument[];
  /** Of responses to delete. You may not have all of them. */
  readonly deletedIds: readonly string[];
  readonly state: SyncState;
}

interface Contents {
  readonly reset?: boolean;
  readonly some?: SomeResponses;
  readonly deletedIds?: readonly string[];
}

export function syncBatch(state: SyncState, { reset = false, some, deletedIds = [] }: Contents = {}): SyncBatch {
  let records: readonly ResponseRecord[] | undefined;
  let documents: readonly ResponseDocument[] | undefined;
  return {
    reset,
    get responses() {
      records ??= some?.records() ?? [];
      return records;
    },
    get documents() {
      documents ??= some?.documents() ?? [];
      return documents;
    },
    deletedIds,
    state,
  };
}
