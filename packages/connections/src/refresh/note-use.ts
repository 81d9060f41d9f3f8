import type { Sql } from "@partner-connect/database";
import { TRANSITIONS } from "../connection.ts";
import type { PresentedToken } from "./find-refresh-rows.ts";
import { lastUseLagSeconds } from "./refresh-token-expiry.ts";

/**
 * Records the last use of a refresh token, after a refresh that succeeded and found it due. Of several at once the first one
 * writes. Index: connections_pkey.
 */
export async function noteUse(sql: Sql, token: PresentedToken, ttl: number): Promise<void> {
  await sql`
    UPDATE oauth.connections SET last_used_at = now()
    WHERE shop_id = ${token.shopId} AND client_id = ${token.clientId} AND refresh_token_hash = ${token.refreshTokenHash}
      AND ${sql.json(TRANSITIONS.refresh)}::jsonb ? status AND NOT disabled
      AND last_used_at < now() - make_interval(secs => ${lastUseLagSeconds(ttl)})`;
}
