import type { Plan, Scope } from "@partner-connect/contract";
import { type LiveGrant, TRANSITIONS } from "../connection.ts";

export interface RefreshRow {
  readonly id: string;
  readonly grant_id: string;
  readonly generation: number;
  readonly scope: readonly Scope[];
  readonly status: string;
  readonly disabled: boolean;
  readonly plan: Plan;
  readonly client_scope: readonly Scope[];
  readonly is_current: boolean;
  /** `last_used_at` lags so far behind that it has to be written. */
  readonly is_due: boolean | null;
  /** The token was not used for its lifetime, as far as Postgres knows. */
  readonly is_past: boolean | null;
}

export type RefreshOutcome =
  | { readonly outcome: "refreshed"; readonly grant: LiveGrant }
  /** 'held': the token is current, and works again when the operator's hold ends. */
  | { readonly outcome: "revoked" | "held" | "superseded" | "expired" | "invalid_scope"; readonly connectionId: string }
  | { readonly outcome: "unknown" };

/** The first of these rules that applies. `known`: whether Redis knows the token, as one that was current once. */
export function refreshOutcome(
  row: RefreshRow | null,
  known: boolean,
  refresh: { readonly shopId: string; readonly scope?: readonly string[] | undefined },
): RefreshOutcome {
  if (!row || !(row.is_current || known)) return { outcome: "unknown" };
  const { id: connectionId } = row;
  if (row.status === "revoked") return { outcome: "revoked", connectionId };
  if (row.disabled) return { outcome: row.is_current ? "held" : "revoked", connectionId };
  if (!row.is_current || !(row.status in TRANSITIONS.refresh)) return { outcome: "superseded", connectionId };
  if (row.is_past && !known) return { outcome: "expired", connectionId };
  if (refresh.scope && !refresh.scope.every((scope) => (row.scope as readonly string[]).includes(scope)))
    return { outcome: "invalid_scope", connectionId };
  return { outcome: "refreshed", grant: grantOf(refresh.shopId, row) };
}

function grantOf(shopId: string, row: RefreshRow): LiveGrant {
  return {
    connectionId: row.id,
    shopId,
    grantId: row.grant_id,
    generation: row.generation,
    scope: row.scope,
    clientScope: row.client_scope,
    plan: row.plan,
  };
}

/**
 * Redis keeps a token's exact end, as its key's expiry. Postgres keeps `last_used_at` to a 720th of the lifetime, so that not every
 * refresh writes. When Redis has forgotten the token, the lag is added, so no partner loses time.
 */

/** How many seconds `last_used_at` in Postgres may lag behind the last use. */
export function lastUseLagSeconds(refreshTokenTtlSeconds: number): number {
  return refreshTokenTtlSeconds / 720;
}
