import type { Timestamp } from "../records.ts";

/** A hold hides what is below it. More may come. */
export type ConnectionStatus = "connected" | "expired" | "revoked" | "disabled" | (string & {});

/** One of your connections, as the server knows it. */
export interface ListedConnection {
  readonly id: string;
  readonly shop: { readonly id: string; readonly name: string; readonly domain: string | null };
  readonly status: ConnectionStatus;
  /** Space-delimited. */
  readonly scope: string;
  readonly connected_at: Timestamp;
  readonly last_used_at: Timestamp | null;
  readonly expires_at: Timestamp | null;
}

/** That a connection has something new, and no more: what it is, you read with the connection's own token. */
export interface Change {
  /** Null, as `shop_id`, of kind `webhook`, which concerns no connection. */
  readonly connection_id: string | null;
  readonly shop_id: string | null;
  /** More may come. */
  readonly kind: "responses" | "deletions" | "questions" | "connection" | "webhook" | (string & {});
  /** Of the connection, at the time of this answer. Of kind `webhook`: `paused` while one of your endpoints is, else `active`. */
  readonly status: ConnectionStatus | "active" | "paused";
  readonly at: Timestamp;
}

export interface ChangesPage {
  readonly data: readonly Change[];
  /** Where this page ends: pass it as `after`. */
  readonly cursor: string;
  readonly has_more: boolean;
}
