import { type LiveGrant, TRANSITIONS } from "./connection.ts";
import type { RefreshRow } from "./find-refresh-rows.ts";
import { hasExpired } from "./refresh-token-expiry.ts";

export type RefreshOutcome =
  | { readonly outcome: "refreshed"; readonly grant: LiveGrant }
  /** 'held': the token is current, and works again when the operator's hold ends. */
  | { readonly outcome: "revoked" | "held" | "superseded" | "expired" | "invalid_scope" | "unknown" };

/**
 * The first of these rules that applies to a presented refresh token. Redis alone knows a token that was current once: its
 * client is told why it is no longer. A token that neither Redis nor the row knows is unknown, whatever the row is.
 *
 * @param known whether Redis knows the token
 */
export function refreshOutcome(
  row: RefreshRow | null,
  known: boolean,
  refresh: { readonly shopId: string; readonly scope?: readonly string[] | undefined },
): RefreshOutcome {
  if (!row || !(row.is_current || known)) return { outcome: "unknown" };
  if (row.status === "revoked") return { outcome: "revoked" };
  if (row.disabled) return { outcome: row.is_current ? "held" : "revoked" };
  if (!row.is_current || !(row.status in TRANSITIONS.refresh)) return { outcome: "superseded" };
  if (hasExpired(row, known)) return { outcome: "expired" };
  if (refresh.scope && !isWithin(refresh.scope, row.scope)) return { outcome: "invalid_scope" };
  return { outcome: "refreshed", grant: grantOf(refresh.shopId, row) };
}

function isWithin(requested: readonly string[], granted: readonly string[]): boolean {
  return requested.every((scope) => granted.includes(scope));
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
