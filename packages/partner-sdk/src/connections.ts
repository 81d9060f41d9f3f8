import type { Timestamp } from "./records.ts";
import type { CallOptions } from "./shop-client.ts";

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

export interface ListConnections extends CallOptions {
  /** Default: all. */
  readonly status?: ConnectionStatus;
  /** Connections of one page, 1 to 1000. Default: 1000. The list goes on to its end all the same. */
  readonly limit?: number;
  /** The id of a connection: the list begins after it. */
  readonly starting_after?: string;
}

/** A connection has something new; what it is, you read with the connection's own token. */
export interface Change {
  /** Null, as `shop_id`, for kind `webhook`, which concerns no connection. */
  readonly connection_id: string | null;
  readonly shop_id: string | null;
  /** More may come. */
  readonly kind: "responses" | "deletions" | "questions" | "connection" | "webhook" | (string & {});
  /** The connection's, at the time of this response. For kind `webhook`: `paused` while one of your endpoints is. */
  readonly status: ConnectionStatus | "active" | "paused";
  readonly at: Timestamp;
}

export interface ReadChanges extends CallOptions {
  /** The `cursor` of an earlier page. Null: the beginning. */
  readonly after?: string | null;
  /** 1 to 1000. Default: 100. */
  readonly limit?: number;
  /** Seconds to wait for something new, 0 to 25. Default: 0. */
  readonly wait?: number;
}

export interface ChangesPage {
  readonly data: readonly Change[];
  /** The end of this page: pass it as `after`. */
  readonly cursor: string;
  readonly has_more: boolean;
}
