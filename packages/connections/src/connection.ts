import type { Plan, Scope } from "@partner-connect/access-token";

/**
 * The life of a connection, client × shop (spec, States and transitions). For each event: from which status it is
 * possible, and to which it leads. Every event is one committed row change with its audit record.
 *
 * - 'approved' is an approval of what was not connected, whose code was not exchanged yet. The first one of a client and
 *   a shop is no connection, and not listed.
 * - Expiry is not stored: a connected row whose refresh token was unused for its lifetime is expired.
 * - An operator's hold (disable, enable) lies over the status and is no part of it: see {@link Connection.status}.
 */
export const TRANSITIONS = {
  approve: { none: "approved", approved: "approved", connected: "connected", revoked: "approved" },
  exchange: { approved: "connected", connected: "connected" },
  refresh: { connected: "connected" },
  revoke: { approved: "revoked", connected: "revoked" },
} as const satisfies Record<string, Partial<Record<StoredStatus | "none", StoredStatus>>>;

export type StoredStatus = "approved" | "connected" | "revoked";

export interface Connection {
  readonly id: string;
  readonly shopId: string;
  readonly clientId: string;
  readonly clientName: string;
  /**
   * As people see it: a hold hides the rest, and revoked hides expired. 'approved': the merchant has approved anew, and
   * the client has not exchanged the code yet; it may never do so.
   */
  readonly status: "connected" | "approved" | "expired" | "revoked" | "disabled";
  readonly scope: readonly Scope[];
  /** The merchant who approved last. */
  readonly merchantId: string;
  readonly merchantName: string;
  readonly approvedAt: Date;
  /** The first exchange since the connection was last revoked, if ever; null: not connected again since then. */
  readonly connectedAt: Date | null;
  /** Of the refresh token, as far as Postgres knows (refresh-token-expiry.ts). Null as `connectedAt`. */
  readonly lastUsedAt: Date | null;
  /** Null unless it is connected, held or expired: then there is a refresh token. */
  readonly expiresAt: Date | null;
}

/** Who did it, and from where: what an audit record says. */
export interface Actor {
  /** `merchant:<id>`, `client:<client id>` or `operator:<name>`. */
  readonly name: string;
  readonly ip?: string | undefined;
  readonly requestId?: string | undefined;
}

/** What the tokens of a grant are made from, as it is now. */
export interface LiveGrant {
  readonly connectionId: string;
  readonly shopId: string;
  readonly grantId: string;
  readonly generation: number;
  /** Approved by the merchant. */
  readonly scope: readonly Scope[];
  /** What the client may have now. */
  readonly clientScope: readonly Scope[];
  /** The shop's plan now. */
  readonly plan: Plan;
}
