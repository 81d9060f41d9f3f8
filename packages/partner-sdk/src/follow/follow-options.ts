import type { ConnectionStatus } from "../partner-api/records.ts";
import type { QuestionRecord } from "../records.ts";
import type { SyncBatch } from "../shop/sync/sync-batch.ts";
import type { SyncState } from "../shop/sync/sync-state.ts";
import type { FollowState } from "./follow-state.ts";

type Awaitable<T> = T | Promise<T>;

/** A connection whose copy `follow` keeps. */
export interface FollowedConnection {
  readonly connectionId: string;
  readonly shopId: string;
}

/** What follows on what. */
export interface FollowedCopy extends FollowedConnection {
  /** The state of this copy on which the batch follows. */
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
 * told to `trouble`, and the connection is tried again later.
 */
export interface FollowOptions {
  /** What `keepState` was last given, or null. */
  readState(): Awaitable<FollowState | null>;
  /** Replaces the state that you have, if that is `previous`; else false. So a second process does no harm. */
  keepState(state: FollowState, previous: FollowState | null): Awaitable<unknown>;
  /** The `state` that `apply` last kept for this connection, or null. */
  readCopyState(connectionId: string): Awaitable<SyncState | null>;
  /**
   * Applies a batch, in one transaction with `batch.state`: see {@link SyncBatch}. If the copy's state is not `previous` any more, changes
   * nothing and returns false: it is read again from where it is.
   */
  apply(batch: SyncBatch, copy: FollowedCopy): Awaitable<unknown>;
  /** All questions of the shop, as they are now. Leave it out if you don't want them. */
  applyQuestions?(questions: readonly QuestionRecord[], connection: FollowedConnection): Awaitable<void>;
  /** The connection began, ended, is held, or what it grants has changed. */
  connectionChanged?(connection: FollowedConnection & { readonly status: ConnectionStatus }): Awaitable<void>;
  /**
   * Something failed: of a connection, or of all (null). It is tried again by itself, later and later. With `ReconnectRequired` and
   * `InvalidGrant` the merchant has to connect again, and the copy goes on by itself when they have. What this throws ends `follow`.
   */
  trouble(error: unknown, connectionId: string | null): Awaitable<void>;
  progress?(progress: FollowProgress): void;
  /** Shops that are read at a time. Default: 8. */
  readonly parallel?: number;
  /** Ends it: `follow` then returns, once what is under way has stopped. */
  readonly signal?: AbortSignal;
}
