import { type Actor, changeWithRecords } from "@partner-connect/audit";
import { type Queries, type Sql, transaction } from "@partner-connect/database";
import { type TokenSubject, TRANSITIONS } from "../connection.ts";
import { auditOfChange, mailConnected } from "./audit-and-mail.ts";
import { isPossibleSql } from "./is-possible.ts";

export interface Exchange {
  readonly shopId: string;
  readonly clientId: string;
  readonly grantId: string;
  /** SHA-256 of the refresh token that becomes valid if this exchange succeeds. */
  readonly refreshTokenHash: Buffer;
}

export type ExchangeOutcome =
  | { readonly outcome: "exchanged"; readonly subject: TokenSubject }
  /** The grant's code was redeemed `secondsAgo`. */
  | { readonly outcome: "replayed"; readonly connectionId: string; readonly secondsAgo: number }
  /** 'superseded': a newer approval replaced the grant. 'revoked' without an id: erased shop. */
  | { readonly outcome: "superseded" | "disabled" | "revoked"; readonly connectionId?: string };

/**
 * Redeems the grant's code and makes its refresh token valid in one update, so only one call
 * succeeds. Index: connections_pkey.
 */
export async function exchange(
  sql: Sql,
  request: Exchange,
  actor: Actor,
): Promise<ExchangeOutcome> {
  // `connected_at` stays if the connection is connected, and otherwise becomes now. Citus refuses
  // now() in a CASE.
  const changes = sql`
    exchanged AS (
      UPDATE oauth.connections SET
        status = ${sql.json(TRANSITIONS.exchange)}::jsonb ->> status,
        refresh_token_hash = ${request.refreshTokenHash}, exchanged_at = now(), last_used_at = now(),
        connected_at = least(now(), CASE WHEN status = 'approved' THEN 'infinity' ELSE connected_at END)
      WHERE shop_id = ${request.shopId} AND client_id = ${request.clientId} AND grant_id = ${request.grantId}
        AND ${isPossibleSql(sql, "exchange")} AND NOT disabled AND exchanged_at IS NULL
      RETURNING id, shop_id, client_id, grant_id, scope, generation, merchant_id
    )`;
  const select = sql<(TokenSubject & { readonly merchantId: string })[]>`
    SELECT c.id AS "connectionId", c.shop_id AS "shopId", c.client_id AS "clientId", c.grant_id AS "grantId",
      c.scope, c.generation, c.merchant_id AS "merchantId", s.plan, k.scope AS "clientScope"
    FROM exchanged c JOIN directory.shops s ON s.id = c.shop_id JOIN directory.clients k ON k.client_id = c.client_id`;
  const record = auditOfChange(sql, "exchange", actor, sql`FROM exchanged`);
  return await transaction(sql, async (tx) => {
    const [exchanged] = await changeWithRecords(tx, record, changes, select);
    if (!exchanged) return await failureReason(tx, request);
    const { merchantId, ...subject } = exchanged;
    const id = subject.connectionId;
    await mailConnected(tx, "app_connected", { ...subject, id, merchantId }, subject.scope);
    return { outcome: "exchanged", subject };
  });
}

/** Why the update changed no row. Sees the commit of a concurrent update that it waited for. */
async function failureReason(
  sql: Queries,
  { shopId, clientId, grantId }: Exchange,
): Promise<ExchangeOutcome> {
  const [found] = await sql<Exclude<ExchangeOutcome, { outcome: "exchanged" }>[]>`
    SELECT id AS "connectionId", extract(epoch FROM clock_timestamp() - exchanged_at)::float8 AS "secondsAgo",
      CASE
        WHEN status = 'revoked' THEN 'revoked'
        WHEN grant_id = ${grantId} AND exchanged_at IS NOT NULL THEN 'replayed'
        WHEN NOT disabled AND grant_id <> ${grantId} THEN 'superseded'
        ELSE 'disabled' -- on hold, but not a replay; or the hold ended after the update
      END AS outcome
    FROM oauth.connections WHERE shop_id = ${shopId} AND client_id = ${clientId}`;
  return found ?? { outcome: "revoked" };
}
