import type { Plan, Scope } from "@partner-connect/contract";

/**
 * The life of a connection, client × shop (spec, States and transitions). For each event: the statuses in which it is
 * possible, and the status that follows. Every event is one committed change of the row, with its audit record.
 *
 * - 'approved': an approval whose code was not exchanged yet, where nothing was connected. The first one of a client and a
 *   shop is not a connection yet. Only the merchant's page lists it, while its code lives.
 * - Expiry is not stored. A connected row has expired when its refresh token was not used for its lifetime. For a test shop, `expire`
 *   moves the last use back.
 * - An operator's hold (disable, enable) is a flag over the status, not a status: see {@link Connection.status}.
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
  /** As people see it: a hold hides every other status, and revoked hides expired. 'approved': the code was not exchanged. */
  readonly status: "connected" | "approved" | "expired" | "revoked" | "disabled";
  readonly scope: readonly Scope[];
  readonly merchantId: string;
  readonly merchantName: string;
  readonly approvedAt: Date;
  /** The first exchange, or the first one after the last revocation; null: none since then. */
  readonly connectedAt: Date | null;
  /** Last use of the refresh token; Postgres records it coarsely (refresh.ts). Null when `connectedAt` is. */
  readonly lastUsedAt: Date | null;
  /** Of the refresh token. Null where there is none: unless the connection is connected, held or expired. */
  readonly expiresAt: Date | null;
}

/** What a grant's tokens are made of, as it is now. */
export interface LiveGrant {
  readonly connectionId: string;
  readonly shopId: string;
  readonly grantId: string;
  readonly generation: number;
  readonly scope: readonly Scope[];
  readonly clientScope: readonly Scope[];
  readonly plan: Plan;
}
