import type { Plan, Scope } from "@partner-connect/access-token";

/**
 * The life of a connection, client × shop (spec, States and transitions). For each event: from which status it is
 * possible, and to which it leads. Every event is one committed row change with its audit record.
 *
 * - 'approved' is a first approval whose code was not exchanged yet: not a connection, and not listed.
 * - Expiry is not stored: a connected row whose refresh token was unused for its lifetime is expired.
 * - An operator's hold (disable, enable) lies over the status and is no part of it: see {@link Connection.status}.
 */
export const TRANSITIONS = {
  approve: { none: "approved", approved: "approved", connected: "connected", revoked: "connected" },
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
  /** As people see it: a hold hides the rest, and revoked hides expired. */
  readonly status: "connected" | "expired" | "revoked" | "disabled";
  readonly scope: readonly Scope[];
  /** The merchant who approved last. */
  readonly merchantId: string;
  readonly merchantName: string;
  readonly connectedAt: Date;
  /** Of the refresh token; coarse, at most {@link coarseSeconds} behind. */
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
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

/**
 * How far `last_used_at` in Postgres may lag behind, so that not every refresh writes: a 720th of the refresh token's
 * life (an hour of 30 days). After a loss of Redis it is added to a token's life, so that nobody loses by it.
 */
export function coarseSeconds(refreshTokenTtlSeconds: number): number {
  return refreshTokenTtlSeconds / 720;
}
