/**
 * A refresh token expires when it was not used for its lifetime (spec, Limits). Redis keeps the exact time, as the expiry of
 * its key. Postgres keeps `last_used_at`, which lags behind: a 720th of the lifetime (an hour of 30 days), so that not every
 * refresh writes. Postgres decides only when Redis has forgotten the token, and the lag is then added to the lifetime, so
 * that no partner loses time by it.
 */

/** How many seconds `last_used_at` in Postgres may lag behind the last use. */
export function lastUseLagSeconds(refreshTokenTtlSeconds: number): number {
  return refreshTokenTtlSeconds / 720;
}

/** @param known whether Redis knows the token, which then lives */
export function hasExpired(row: { readonly is_past: boolean | null }, known: boolean): boolean {
  return row.is_past === true && !known;
}
