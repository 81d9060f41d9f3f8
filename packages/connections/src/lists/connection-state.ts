import type { Queries } from "@partner-connect/database";

/**
 * What is worked out of a row of oauth.connections as `c`: when its refresh token ends (null where there is none), and the status, as
 * people see it. A first approval whose code was never exchanged, with `c.connected_at` null, is `approved`. Expressions and no
 * joins, so that a shard of a cluster can work them out too.
 */
export function connectionState(sql: Queries, refreshTokenTtlSeconds: number) {
  const end = sql`c.last_used_at + make_interval(secs => ${refreshTokenTtlSeconds})`;
  return {
    expiresAt: sql`CASE WHEN c.status = 'connected' AND c.exchanged_at IS NOT NULL THEN ${end} END`,
    status: sql`
      CASE WHEN c.disabled THEN 'disabled'
           WHEN c.status = 'revoked' THEN 'revoked'
           WHEN c.exchanged_at IS NULL THEN 'approved'
           WHEN c.status = 'connected' AND ${end} <= now() THEN 'expired'
           ELSE 'connected' END`,
  };
}

/** The condition that a row is of this shop, or of one of these. One shop is compared by `=`, for which a cluster asks one node. */
export function ofShops(sql: Queries, column: string, shops: string | readonly string[]) {
  const ids = [shops].flat();
  return ids.length === 1 ? sql`${sql(column)} = ${ids[0] ?? ""}` : sql`${sql(column)} = ANY (${ids}::text[])`;
}
