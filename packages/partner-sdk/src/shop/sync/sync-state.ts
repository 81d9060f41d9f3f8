import { InvalidRequest } from "../../errors/index.ts";
import type { Timestamp } from "../../records.ts";

/** The list of deletions goes 400 days back. Who was away for nearly as long may have missed some. */
const LONGEST_PAUSE_DAYS = 390;
const DAY_MS = 24 * 60 * 60 * 1000;

/** How far a copy of a shop's responses has come. Plain JSON; keep it as it is, with the copy. */
export interface SyncState {
  readonly version: 1;
  readonly shop_id: string;
  readonly copying: boolean;
  readonly response: { readonly id: string; readonly updated_at: Timestamp } | null;
  readonly deletion: { readonly id: string; readonly deleted_at: Timestamp } | null;
  /** Deletions before this concern nothing that the copy ever had. */
  readonly deleted_at_min: Timestamp | null;
  /** By your clock. All deletions before then were read. */
  readonly deletions_read_at: Timestamp;
}

/** @throws {InvalidRequest} unless `saved` is a state of ours */
export function readSyncState(saved: SyncState): SyncState {
  const { version, shop_id, deletions_read_at, copying } = Object(saved) as Partial<SyncState>;
  const isOurs = version === 1 && typeof shop_id === "string" && typeof copying === "boolean";
  if (!isOurs || Number.isNaN(Date.parse(deletions_read_at ?? ""))) {
    throw new InvalidRequest(
      "the state is none that syncResponses gave: pass it as it was, or null to begin anew",
      "state",
    );
  }
  return saved;
}

/** Deletions may be forgotten by now that this copy has not heard of. */
export function isTooOld({ deletions_read_at }: SyncState, now: number): boolean {
  return now - Date.parse(deletions_read_at) > LONGEST_PAUSE_DAYS * DAY_MS;
}
