import type { Sql } from "@partner-connect/database";
import type { PresentedToken } from "./presented-token.ts";
import { lastUseLagSeconds, type RefreshRow } from "./refresh-outcome.ts";

/**
 * $1 to $3: shops, clients, and token hashes in hexadecimal, an array each. $4: the seconds that `last_used_at` may lag. $5:
 * a token's lifetime plus that lag. The DISTINCT, of one row, makes the planner search each token's row by itself, whatever its
 * statistics. The shops are named once more, as a cluster asks only the shards of shops that a statement names so. The OR leaves the
 * search to the key: with `= ANY` alone the planner would search by all shops for each token.
 * Indexes: connections_pkey, shops_pkey, clients_pkey.
 */
export const FIND_ROWS = `
  SELECT asked.index::int, found.*
  FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (shop_id, client_id, hash, index)
    CROSS JOIN LATERAL (
      SELECT DISTINCT ON (c.shop_id, c.client_id)
        c.id, c.grant_id, c.generation, c.scope, c.status, c.disabled, s.plan, k.scope AS client_scope,
        c.refresh_token_hash IS NOT DISTINCT FROM decode(asked.hash, 'hex') AS is_current,
        c.last_used_at < now() - make_interval(secs => $4) AS is_due,
        c.last_used_at < now() - make_interval(secs => $5) AS is_past
      FROM oauth.connections c
        JOIN directory.shops s ON s.id = c.shop_id
        JOIN directory.clients k ON k.client_id = c.client_id
      WHERE c.shop_id = asked.shop_id AND c.client_id = asked.client_id
        AND (c.shop_id = ANY ($1::text[]) OR c.shop_id = ($1::text[])[1])
    ) AS found`;

/** The row of each token, in their order; null: none. */
export async function findRefreshRows(
  sql: Sql,
  tokens: readonly PresentedToken[],
  ttl: number,
): Promise<(RefreshRow | null)[]> {
  const lag = lastUseLagSeconds(ttl);
  const found = await sql.unsafe<(RefreshRow & { index: number })[]>(
    FIND_ROWS,
    [
      tokens.map(({ shopId }) => shopId),
      tokens.map(({ clientId }) => clientId),
      tokens.map(({ refreshTokenHash }) => refreshTokenHash.toString("hex")),
      lag,
      ttl + lag,
    ],
    { prepare: true },
  );
  const rows: (RefreshRow | null)[] = tokens.map(() => null);
  for (const row of found) rows[row.index - 1] = row;
  return rows;
}
