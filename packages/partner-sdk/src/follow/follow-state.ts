import { InvalidRequest } from "../errors/index.ts";
import type { ConnectionStatus } from "../partner-api/records.ts";

/** What is to be done for one connection. */
export interface PendingConnection {
  readonly connection_id: string;
  readonly shop_id: string;
  /** `unknown`: your store has it, and the feed has not. */
  readonly status: ConnectionStatus;
  /** Those of the feed, and `check`: whether the shop still has what the copy has. */
  readonly kinds: readonly string[];
}

/** How far `follow` has come. Plain JSON; keep it as it is. The copies' own states are kept with the copies. */
export interface FollowState {
  readonly version: 1;
  /** Of the feed: all that it told up to here is applied, but what is pending. */
  readonly cursor: string;
  readonly pending: readonly PendingConnection[];
}

/** @throws {InvalidRequest} unless `saved` is a state of ours, or null */
export function readFollowState(saved: FollowState | null): FollowState | null {
  if (saved === null || saved === undefined) return null;
  const { version, cursor, pending } = Object(saved) as Partial<FollowState>;
  if (version === 1 && typeof cursor === "string" && Array.isArray(pending)) return saved;
  throw new InvalidRequest("the state is none that follow gave: pass it as it was, or null to begin anew", "state");
}
