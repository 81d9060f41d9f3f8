import type { Question } from "./api-types.ts";
import type { ConnectionStatus } from "./shop-client.ts";
import type { SyncBatch, SyncState } from "./sync-responses.ts";

type Awaitable<T> = T | Promise<T>;

/** Pending work for one connection. */
export interface PendingWork {
  readonly connection_id: string;
  readonly shop_id: string;
  /** `unknown` if your store has the connection, but the feed does not. */
  readonly status: ConnectionStatus;
  /** Kinds of the feed, and `check`, which compares the copy with the shop. */
  readonly kinds: readonly string[];
}

/**
 * The progress of `follow`. Plain JSON; store it unchanged. The copies' own states are stored with
 * the copies.
 */
export interface FollowState {
  readonly version: 1;
  /** All changes before this cursor are applied, except pending ones. */
  readonly cursor: string;
  /** The copies of connections after this cursor have not been checked yet. */
  readonly checking?: true;
  readonly pending: readonly PendingWork[];
}

/** A connection whose data `follow` copies. */
export interface FollowedConnection {
  readonly connectionId: string;
  readonly shopId: string;
}

export interface FollowedCopy extends FollowedConnection {
  /** The copy's state before the batch. */
  readonly previous: SyncState | null;
}

export interface FollowProgress {
  /** Connections being read or queued. */
  readonly inProgress: number;
  /** Failed connections that will be retried. */
  readonly failing: number;
}

/**
 * Your storage. Calls for one connection are sequential, and may be repeated. Errors go to
 * `onError`, and are retried.
 */
export interface FollowOptions {
  /** The last state given to `saveState`, or null. */
  loadState(): Awaitable<FollowState | null>;
  /**
   * Replaces the stored state if it equals `previous`, else returns false. This makes a second
   * process harmless.
   */
  saveState(state: FollowState, previous: FollowState | null): Awaitable<unknown>;
  /** The last `state` that `apply` stored for this connection, or null. */
  loadCopyState(connectionId: string): Awaitable<SyncState | null>;
  /**
   * Applies a batch and stores `batch.state` in one transaction: see {@link SyncBatch}. If the
   * copy's state is no longer `previous`, change nothing and return false: the copy is then read
   * again from its state.
   */
  apply(batch: SyncBatch, copy: FollowedCopy): Awaitable<unknown>;
  /** All current questions of the shop. */
  applyQuestions?(questions: readonly Question[], connection: FollowedConnection): Awaitable<void>;
  /**
   * The connection began, ended, is on hold, or was approved again. One that has expired is reported
   * at the start and once a day.
   */
  onConnectionChange?(
    connection: FollowedConnection & { readonly status: ConnectionStatus },
  ): Awaitable<void>;
  /**
   * Receives an error of one connection, or of all (null). It is retried with backoff. After
   * `ReconnectRequired` and `InvalidGrant` the copy continues once the merchant has connected
   * again, after `OnHold` once the hold has ended. `UnknownConnection` (your store lacks a
   * connection of the feed) is reported once; the copy begins when the store has it. An error
   * thrown here ends `follow`.
   */
  onError(error: unknown, connectionId: string | null): Awaitable<void>;
  /** Called after each attempt to sync a connection, with the progress of all. */
  onProgress?(progress: FollowProgress): void;
  /** Shops read at a time. Default: 8. */
  readonly concurrency?: number;
  /** Aborts `follow`, which returns after pending calls have stopped. */
  readonly signal?: AbortSignal;
}
