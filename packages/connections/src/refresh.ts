import type { Scope } from "@partner-connect/access-token";
import type { Sql } from "@partner-connect/database";
import DataLoader from "dataloader";
import { coarseSeconds, type LiveGrant, TRANSITIONS } from "./connection.ts";

export interface Refresh {
  readonly shopId: string;
  readonly clientId: string;
  /** SHA-256 of the presented refresh token. */
  readonly refreshTokenHash: Buffer;
  /** Whether Redis knows the token: it has forgotten it, or never knew it. Asked at the same time as Postgres. */
  readonly known: Promise<boolean>;
  /** The scope that the request asks for; undefined: the connection's. */
  readonly scope?: readonly string[] | undefined;
}

export type RefreshOutcome =
  | { readonly outcome: "refreshed"; readonly grant: LiveGrant }
  /** 'held': an operator holds the connection of this very token, which works again afterwards. */
  | { readonly outcome: "revoked" | "held" | "superseded" | "expired" | "invalid_scope" | "unknown" };

/**
 * Whether a refresh token is the current one of a connected row. A token that Redis still knows has not expired, as
 * Redis keeps the exact time; one that it does not know is judged by `last_used_at`.
 *
 * Refreshes that arrive in one turn of the event loop ask Postgres together. Their statement begins after each of
 * them did, so what was committed before a refresh began holds for it.
 */
export function refresher(sql: Sql, refreshTokenTtlSeconds: number): (refresh: Refresh) => Promise<RefreshOutcome> {
  const rows = new DataLoader<Refresh, RefreshRow | null>(
    (refreshes) => findRows(sql, refreshes, refreshTokenTtlSeconds),
    { cache: false, maxBatchSize: MOST_AT_ONCE, batchScheduleFn: (ask) => void setImmediate(ask) },
  );
  return async (refresh) => {
    const [known, row] = await Promise.all([refresh.known, rows.load(refresh)]);
    if (!row || !(row.is_current || known)) return { outcome: "unknown" };
    if (row.status === "revoked") return { outcome: "revoked" };
    if (row.disabled) return { outcome: row.is_current ? "held" : "revoked" };
    if (!row.is_current || !(row.status in TRANSITIONS.refresh)) return { outcome: "superseded" };
    if (row.is_past && !known) return { outcome: "expired" };
    const scope = scopesOf(row.scope);
    if (refresh.scope?.every((value) => scope.some((granted) => granted === value)) === false) {
      return { outcome: "invalid_scope" };
    }
    if (row.is_due) await noteUse(sql, refresh, refreshTokenTtlSeconds);
    return {
      outcome: "refreshed",
      grant: {
        connectionId: row.id,
        shopId: refresh.shopId,
        grantId: row.grant_id,
        generation: row.generation,
        scope,
        clientScope: scopesOf(row.client_scope),
        plan: row.plan,
      },
    };
  };
}

const MOST_AT_ONCE = 100;

/**
 * Parameters: shops, clients and hashes in hexadecimal, side by side; the seconds that `last_used_at` may lag, and a
 * token's life with them. The limit keeps each refresh a search of its own, whatever the planner thinks of the tables.
 * Indexes: connections_pkey, shops_pkey, clients_pkey.
 */
export const FIND_ROWS = `
  SELECT asked.index::int, found.*
  FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (shop_id, client_id, hash, index)
    CROSS JOIN LATERAL (
      SELECT c.id, c.grant_id, c.generation, array_to_string(c.scope, ' ') AS scope, c.status, c.disabled,
        s.plan, array_to_string(k.scope, ' ') AS client_scope,
        c.refresh_token_hash IS NOT DISTINCT FROM decode(asked.hash, 'hex') AS is_current,
        c.last_used_at < now() - make_interval(secs => $4) AS is_due,
        c.last_used_at < now() - make_interval(secs => $5) AS is_past
      FROM oauth.connections c
        JOIN directory.shops s ON s.id = c.shop_id
        JOIN directory.clients k ON k.client_id = c.client_id
      WHERE c.shop_id = asked.shop_id AND c.client_id = asked.client_id
      LIMIT 1
    ) AS found`;

/** The row of each refresh as it stands, in their order; null where there is none. */
async function findRows(sql: Sql, refreshes: readonly Refresh[], ttl: number): Promise<(RefreshRow | null)[]> {
  const coarse = coarseSeconds(ttl);
  const found = await sql.unsafe<RefreshRow[]>(
    FIND_ROWS,
    [
      refreshes.map(({ shopId }) => shopId),
      refreshes.map(({ clientId }) => clientId),
      refreshes.map(({ refreshTokenHash }) => refreshTokenHash.toString("hex")),
      coarse,
      ttl + coarse,
    ],
    { prepare: true },
  );
  const rows: (RefreshRow | null)[] = refreshes.map(() => null);
  for (const row of found) rows[row.index - 1] = row;
  return rows;
}

/** Only for a refresh that succeeds; written by the first of those that find it due. Index: connections_pkey. */
async function noteUse(sql: Sql, { shopId, clientId, refreshTokenHash }: Refresh, ttl: number): Promise<void> {
  await sql`
    UPDATE oauth.connections SET last_used_at = now()
    WHERE shop_id = ${shopId} AND client_id = ${clientId} AND refresh_token_hash = ${refreshTokenHash}
      AND ${sql.json(TRANSITIONS.refresh)}::jsonb ? status AND NOT disabled
      AND last_used_at < now() - make_interval(secs => ${coarseSeconds(ttl)})`;
}

interface RefreshRow {
  index: number;
  id: string;
  grant_id: string;
  generation: number;
  scope: string;
  status: string;
  disabled: boolean;
  plan: LiveGrant["plan"];
  client_scope: string;
  is_current: boolean;
  is_due: boolean | null;
  is_past: boolean | null;
}

/** What `array_to_string` made of an array of scopes: quicker to read than the array itself. */
function scopesOf(text: string): Scope[] {
  return text === "" ? [] : (text.split(" ") as Scope[]);
}
