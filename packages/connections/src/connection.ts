import type { Plan, Scope } from "@partner-connect/contract";

/**
 * The transitions of a connection, client × shop (spec, States and transitions): for each event,
 * the statuses in which it is possible and the next status. Every event is one committed change of
 * the row, with its audit record.
 *
 * - 'approved': approved, but no code exchanged since the first approval or the last revocation. A
 *   first approval is not a connection yet: only pages list it, until its code expires.
 * - Expiry is not stored: a connected row has expired when its refresh token was not used for its
 *   lifetime.
 * - A hold (disable, enable) is a flag over the status: see {@link Connection.status}.
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
   * The displayed status: a hold hides every other status, and revoked hides expired. 'approved'
   * also stands for a connected row whose newest approval was not exchanged.
   */
  readonly status: "connected" | "approved" | "expired" | "revoked" | "disabled";
  readonly scope: readonly Scope[];
  readonly merchantId: string;
  readonly merchantName: string;
  readonly approvedAt: Date;
  /** Start of the connection. Null while an approval after a revocation isn't exchanged. */
  readonly connectedAt: Date | null;
  /** Last use of the refresh token, recorded coarsely (refresh.ts). Null when `connectedAt` is. */
  readonly lastUsedAt: Date | null;
  /** Expiry of the refresh token. Null unless the connection is connected, on hold or expired. */
  readonly expiresAt: Date | null;
}

/** A connection's current data, for the tokens of its grant. */
export interface TokenSubject {
  readonly connectionId: string;
  readonly shopId: string;
  readonly clientId: string;
  readonly grantId: string;
  readonly generation: number;
  readonly scope: readonly Scope[];
  readonly clientScope: readonly Scope[];
  readonly plan: Plan;
}

/**
 * How many seconds `last_used_at` may lag, so that not every refresh writes. A refresh token is
 * accepted that much longer.
 */
export function lastUseLagSeconds(ttl: number): number {
  return ttl / 720; // one hour if it is 30 days
}
