import { type Actor, changeWithRecords } from "@partner-connect/audit";
import type { Queries } from "@partner-connect/database";
import { lastUseLagSeconds } from "../connection.ts";
import { connectionState } from "../lists/list-connections.ts";
import { auditOfChange } from "./audit-and-mail.ts";
import { isPossibleSql } from "./is-possible.ts";
import type { ConnectionKey } from "./revoke.ts";

/**
 * Expires a connection with a test shop by moving its refresh token's last use back by a lifetime.
 * False if the connection is not connected, or its shop is not a test shop of its client. Index:
 * connections_shop_id_id_key.
 */
export async function expire(
  sql: Queries,
  connection: ConnectionKey,
  refreshTokenTtlSeconds: number,
  actor: Actor,
): Promise<boolean> {
  const past = refreshTokenTtlSeconds + lastUseLagSeconds(refreshTokenTtlSeconds) + 1;
  const changes = sql`
    changed AS (
      UPDATE oauth.connections c SET last_used_at = now() - make_interval(secs => ${past})
      WHERE c.shop_id = ${connection.shopId} AND c.id = ${connection.id}
        AND ${isPossibleSql(sql, "refresh")}
        AND ${connectionState(sql, refreshTokenTtlSeconds).status} = 'connected'
        AND EXISTS (SELECT FROM directory.test_shops t WHERE t.shop_id = c.shop_id AND t.client_id = c.client_id)
      RETURNING id, shop_id, client_id, grant_id
    )`;
  const record = auditOfChange(sql, "expire", actor, sql`FROM changed`);
  return (await changeWithRecords(sql, record, changes, sql`SELECT FROM changed`)).length > 0;
}
