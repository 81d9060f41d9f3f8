import type { Scope } from "@partner-connect/access-token";
import type { Sql } from "@partner-connect/database";
import { coarseSeconds, type LiveGrant } from "./connection.ts";

export interface Refresh {
  readonly shopId: string;
  readonly clientId: string;
  /** SHA-256 of the presented refresh token. */
  readonly refreshTokenHash: Buffer;
  /** Whether Redis knows the token: it has forgotten it, or never knew it. Asked at the same time as Postgres. */
  readonly known: Promise<boolean>;
  readonly refreshTokenTtlSeconds: number;
}

export type RefreshOutcome =
  | { readonly outcome: "refreshed"; readonly grant: LiveGrant }
  | { readonly outcome: "revoked" | "superseded" | "expired" | "unknown" };

/**
 * Whether the refresh token is the current one of a connected row, judged and its use noted in one round trip.
 * A token that Redis still knows has not expired, as Redis keeps the exact time; one that it does not know is judged
 * by `last_used_at`.
 */
export async function refresh(sql: Sql, request: Refresh): Promise<RefreshOutcome> {
  const [known, first] = await Promise.all([request.known, judge(sql, request, false)]);
  // Uses that Redis noted and Postgres, being away, did not: the one case in which it has to be told.
  const row = known && first?.is_past ? await judge(sql, request, true) : first;
  if (!row || !(row.is_current || known)) return { outcome: "unknown" };
  if (row.disabled || row.status === "revoked") return { outcome: "revoked" };
  if (!row.is_current) return { outcome: "superseded" };
  if (row.is_past && !known) return { outcome: "expired" };
  return {
    outcome: "refreshed",
    grant: {
      connectionId: row.id,
      shopId: request.shopId,
      grantId: row.grant_id,
      generation: row.generation,
      scope: scopesOf(row.scope),
      clientScope: scopesOf(row.client_scope),
      plan: row.plan,
    },
  };
}

/** Parameters: shop, client, hash; seconds that `last_used_at` may lag; whether the token is known; its life and that lag. */
const JUDGE = `
  WITH used AS (
    UPDATE oauth.connections SET last_used_at = now()
    WHERE shop_id = $1 AND client_id = $2 AND refresh_token_hash = $3 AND status = 'connected' AND NOT disabled
      AND last_used_at < now() - make_interval(secs => $4) AND ($5 OR last_used_at >= now() - make_interval(secs => $6))
  )
  SELECT c.id, c.grant_id, c.generation, array_to_string(c.scope, ' ') AS scope, c.status, c.disabled, s.plan,
    array_to_string(k.scope, ' ') AS client_scope, c.refresh_token_hash IS NOT DISTINCT FROM $3 AS is_current,
    c.last_used_at < now() - make_interval(secs => $6) AS is_past
  FROM oauth.connections c
    JOIN directory.shops s ON s.id = c.shop_id
    JOIN directory.clients k ON k.client_id = c.client_id
  WHERE c.shop_id = $1 AND c.client_id = $2`;

/** The row as it stands, after its use was noted if it may be used. Index: connections_pkey. */
async function judge(sql: Sql, request: Refresh, known: boolean): Promise<RefreshRow | undefined> {
  const { shopId, clientId, refreshTokenHash, refreshTokenTtlSeconds: ttl } = request;
  const coarse = coarseSeconds(ttl);
  const values = [shopId, clientId, refreshTokenHash, coarse, known, ttl + coarse];
  const [row] = await sql.unsafe<RefreshRow[]>(JUDGE, values, { prepare: true });
  return row;
}

interface RefreshRow {
  id: string;
  grant_id: string;
  generation: number;
  scope: string;
  status: string;
  disabled: boolean;
  plan: LiveGrant["plan"];
  client_scope: string;
  is_current: boolean;
  is_past: boolean | null;
}

/** What `array_to_string` made of an array of scopes: quicker to read than the array itself. */
function scopesOf(text: string): Scope[] {
  return text === "" ? [] : (text.split(" ") as Scope[]);
}
