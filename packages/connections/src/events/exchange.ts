import { type Actor, changeWithRecords } from "@partner-connect/audit";
import { type Row, type Sql, transaction } from "@partner-connect/database";
import { type LiveGrant, TRANSITIONS } from "../connection.ts";
import { changeRecord, mailConnected } from "./record.ts";

export interface Exchange {
  readonly shopId: string;
  readonly clientId: string;
  readonly grantId: string;
  /** SHA-256 of the refresh token that becomes valid if this exchange succeeds. */
  readonly refreshTokenHash: Buffer;
}

export type ExchangeOutcome =
  | { readonly outcome: "exchanged"; readonly grant: LiveGrant }
  /** The grant's code was redeemed `secondsAgo`. */
  | { readonly outcome: "replayed"; readonly connectionId: string; readonly secondsAgo: number }
  /** A newer approval has replaced the grant. */
  | { readonly outcome: "superseded" }
  | { readonly outcome: "revoked" };

/**
 * Redeems the grant's code and makes its refresh token valid in one update, so only one call
 * succeeds. Index: connections_pkey.
 */
export async function exchange(
  sql: Sql,
  request: Exchange,
  actor: Actor,
): Promise<ExchangeOutcome> {
  const changes = sql`
    won AS (
      UPDATE oauth.connections SET
        status = ${sql.json(TRANSITIONS.exchange)}::jsonb ->> status,
        refresh_token_hash = ${request.refreshTokenHash}, exchanged_at = now(), last_used_at = now(),
        connected_at = least(now(), CASE WHEN status = 'approved' THEN 'infinity' ELSE connected_at END)
      WHERE shop_id = ${request.shopId} AND client_id = ${request.clientId} AND grant_id = ${request.grantId}
        AND ${sql.json(TRANSITIONS.exchange)}::jsonb ? status AND NOT disabled AND exchanged_at IS NULL
      RETURNING id, shop_id, client_id, grant_id, scope, generation, merchant_id
    )`;
  const select = sql`
    SELECT won.id IS NOT NULL AS won, c.id, c.grant_id, c.merchant_id, coalesce(won.scope, c.scope) AS scope,
      coalesce(won.generation, c.generation) AS generation, c.status, c.disabled, s.plan, k.scope AS client_scope,
      extract(epoch FROM clock_timestamp() - c.exchanged_at)::float8 AS exchanged_seconds_ago
    FROM oauth.connections c
      JOIN directory.shops s ON s.id = c.shop_id
      JOIN directory.clients k ON k.client_id = c.client_id
      LEFT JOIN won ON true
    WHERE c.shop_id = ${request.shopId} AND c.client_id = ${request.clientId}`;
  const record = changeRecord(sql, "exchange", actor, sql`FROM won`);
  const row = await transaction(sql, async (tx) => {
    const [found] = await changeWithRecords<ExchangeRow>(tx, record, changes, select);
    if (found?.won) {
      const connection = { ...request, id: found.id, merchantId: found.merchant_id };
      await mailConnected(tx, "app_connected", connection, found.scope);
    }
    return found;
  });
  if (!row) return { outcome: "superseded" };
  if (row.won) {
    const { shopId, grantId } = request;
    const { id: connectionId, generation, scope, client_scope: clientScope, plan } = row;
    return {
      outcome: "exchanged",
      grant: { connectionId, shopId, grantId, generation, scope, clientScope, plan },
    };
  }
  if (row.disabled || row.status === "revoked") return { outcome: "revoked" };
  if (row.grant_id !== request.grantId) return { outcome: "superseded" };
  // Null: this call lost a race and read the row before the winner's commit, at most seconds ago.
  return { outcome: "replayed", connectionId: row.id, secondsAgo: row.exchanged_seconds_ago ?? 0 };
}

interface ExchangeRow extends Row {
  won: boolean;
  id: string;
  grant_id: string;
  merchant_id: string;
  scope: LiveGrant["scope"];
  generation: number;
  status: string;
  disabled: boolean;
  plan: LiveGrant["plan"];
  client_scope: LiveGrant["clientScope"];
  exchanged_seconds_ago: number | null;
}
