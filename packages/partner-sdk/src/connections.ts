import type { PartnerConnection } from "./api-types.ts";
import type { CallOptions } from "./shop-client.ts";

/** A hold hides what is below it. More may come. */
export type ConnectionStatus = PartnerConnection["status"];

export interface ListConnections extends CallOptions {
  /** Default: all. */
  readonly status?: ConnectionStatus;
  /** Connections of one page, 1 to 1000. Default: 1000. The list goes on to its end all the same. */
  readonly limit?: number;
  /** The id of a connection: the list begins after it. */
  readonly starting_after?: string;
}

export interface ReadChanges extends CallOptions {
  /** The `cursor` of an earlier page. Null: the beginning. */
  readonly after?: string | null;
  /** 1 to 1000. Default: 100. */
  readonly limit?: number;
  /** Seconds to wait for something new, 0 to 25. Default: 0. */
  readonly wait?: number;
}
