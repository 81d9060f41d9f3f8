import type { Queries } from "@partner-connect/database";

/** The end of the refresh token (null: none) and the status of a row `c`. Expressions, no joins, so that a cluster's shard can do it. */
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
