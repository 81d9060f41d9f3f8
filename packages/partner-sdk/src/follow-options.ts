import type { Question } from "./api-types.ts";
import type { ConnectionStatus } from "./shop-client.ts";
import type { SyncBatch, SyncState } from "./sync-responses.ts";

type Awaitable<T> = T | Promise<T>;

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
  /** All changes before this cursor are applied, except for what is pending. */
  readonly cursor: string;
  readonly pending: readonly PendingConnection[];
}

/** A connection whose copy `follow` keeps. */
export interface FollowedConnection {
  readonly connectionId: string;
  readonly shopId: string;
}

export interface FollowedCopy extends FollowedConnection {
  /** The state of the copy that the batch builds on. */
  readonly previous: SyncState | null;
}

export interface FollowProgress {
  /** Connections that are read now, or wait to be. */
  readonly inHand: number;
  /** Connections that failed, and are tried again later. */
  readonly failing: number;
}

/**
 * Where you keep the copies. Calls for one connection come one after another, and may be repeated after a crash. What a callback throws is
 * passed to `trouble`, and the connection is tried again later.
 */
export interface FollowOptions {
  /** What `keepState` was last given, or null. */
  readState(): Awaitable<FollowState | null>;
  /** Replaces the state that you have if that is `previous`, else returns false. So a second process does no harm. */
  keepState(state: FollowState, previous: FollowState | null): Awaitable<unknown>;
  /** The `state` that `apply` last kept for this connection, or null. */
  readCopyState(connectionId: string): Awaitable<SyncState | null>;
  /**
   * Applies a batch in one transaction with `batch.state`: see {@link SyncBatch}. If the copy's state is no longer `previous`, changes
   * nothing and returns false: the copy is then read again from where it is.
   */
  apply(batch: SyncBatch, copy: FollowedCopy): Awaitable<unknown>;
  /** All questions of the shop, as they are now. */
  applyQuestions?(questions: readonly Question[], connection: FollowedConnection): Awaitable<void>;
  /** The connection began, ended, is on hold, or what it grants has changed. */
  connectionChanged?(connection: FollowedConnection & { readonly status: ConnectionStatus }): Awaitable<void>;
  /**
   * Something failed, for one connection or for all (null). It is tried again with growing pauses. After `ReconnectRequired` and
   * `InvalidGrant` the copy goes on once the merchant has connected again. What this throws ends `follow`.
   */
  trouble(error: unknown, connectionId: string | null): Awaitable<void>;
  progress?(progress: FollowProgress): void;
  /** Shops that are read at a time. Default: 8. */
  readonly parallel?: number;
  /** Ends it: `follow` then returns, once what is under way has stopped. */
  readonly signal?: AbortSignal;
}
