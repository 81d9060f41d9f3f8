import type { Sql } from "@partner-connect/database";
import { coarseSeconds, type LiveGrant } from "./connection.ts";

export interface Refresh {
  readonly shopId: string;
  readonly clientId: string;
  /** SHA-256 of the presented refresh token. */
  readonly refreshTokenHash: Buffer;
  /** The grant that Redis knows the token by; null if Redis has forgotten it or never knew it. */
  readonly knownGrantId: string | null;
  readonly refreshTokenTtlSeconds: number;
}

export type RefreshOutcome =
  | { readonly outcome: "refreshed"; readonly grant: LiveGrant }
  | { readonly outcome: "revoked" | "superseded" | "expired" | "unknown" };

/**
 * Whether the refresh token is the current one of a connected row, judged and its use noted in one round trip.
 * A token that Redis still knows has not expired, as Redis keeps the exact time; one that it does not know is judged
 * by `last_used_at`. Index: connections_pkey.
 */
export async function refresh(sql: Sql, request: Refresh): Promise<RefreshOutcome> {
  const { shopId, clientId, refreshTokenHash, refreshTokenTtlSeconds: ttl } = request;
  const coarse = coarseSeconds(ttl);
  const known = request.knownGrantId !== null;
  const [row] = await sql<RefreshRow[]>`
    WITH used AS (
      UPDATE oauth.connections SET last_used_at = now()
      WHERE shop_id = ${shopId} AND client_id = ${clientId} AND refresh_token_hash = ${refreshTokenHash}
        AND status = 'connected' AND NOT disabled
        AND last_used_at < now() - make_interval(secs => ${coarse})
        AND (${known} OR last_used_at >= now() - make_interval(secs => ${ttl + coarse}))
    )
    SELECT c.id, c.grant_id, c.generation, c.scope, c.status, c.disabled, s.plan, k.scope AS client_scope,
      c.refresh_token_hash IS NOT DISTINCT FROM ${refreshTokenHash} AS is_current,
      c.last_used_at < now() - make_interval(secs => ${ttl + coarse}) AS is_past
    FROM oauth.connections c
      JOIN directory.shops s ON s.id = c.shop_id
      JOIN directory.clients k ON k.client_id = c.client_id
    WHERE c.shop_id = ${shopId} AND c.client_id = ${clientId}`;
  if (!row || !(row.is_current || known)) return { outcome: "unknown" };
  if (row.disabled || row.status === "revoked") return { outcome: "revoked" };
  if (!row.is_current) return { outcome: "superseded" };
  if (row.is_past && !known) return { outcome: "expired" };
  const { id: connectionId, grant_id: grantId, generation, scope, client_scope: clientScope, plan } = row;
  return { outcome: "refreshed", grant: { connectionId, shopId, grantId, generation, scope, clientScope, plan } };
}

interface RefreshRow {
  id: string;
  grant_id: string;
  generation: number;
  scope: LiveGrant["scope"];
  status: string;
  disabled: boolean;
  plan: LiveGrant["plan"];
  client_scope: LiveGrant["clientScope"];
  is_current: boolean;
  is_past: boolean | null;
}
