import type { Sql } from "@partner-connect/database";

/**
 * Joins, to oauth.connections as `c`: `token.expires_at`, when its refresh token ends, and `seen.status`, as people see it. A first
 * approval whose code was never exchanged, with `c.connected_at` null, is not listed.
 */
export function connectionState(sql: Sql, refreshTokenTtlSeconds: number) {
  return sql`
    LEFT JOIN LATERAL (
      SELECT c.last_used_at + make_interval(secs => ${refreshTokenTtlSeconds}) AS expires_at
      WHERE c.status = 'connected' AND c.exchanged_at IS NOT NULL) token ON true
    CROSS JOIN LATERAL (
      SELECT CASE WHEN c.disabled THEN 'disabled'
                  WHEN c.status = 'revoked' THEN 'revoked'
                  WHEN c.exchanged_at IS NULL THEN 'approved'
                  WHEN token.expires_at <= now() THEN 'expired'
                  ELSE 'connected' END AS status) seen`;
}
