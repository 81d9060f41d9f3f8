import type { Plan, Scope } from "@partner-connect/contract";
import { isFaultOfANode, type Sql } from "@partner-connect/database";
import DataLoader from "dataloader";
import { lastUseLagSeconds, type TokenSubject } from "./connection.ts";
import { isPossibleSql } from "./events/is-possible.ts";
import { ofShops } from "./lists/list-connections.ts";

/** A refresh token that a client presents. */
export interface Refresh {
  readonly shopId: string;
  readonly clientId: string;
  /** SHA-256 of the refresh token. */
  readonly refreshTokenHash: Buffer;
  /** Redis has the token, so it was current once. */
  readonly isKnown: boolean;
  /** The requested scope; if absent, the connection's. */
  readonly scope?: readonly string[] | undefined;
}

export type RefreshOutcome =
  | { readonly outcome: "refreshed"; readonly subject: TokenSubject }
  /** 'disabled': if the token is current, it works again when the hold ends. */
  | {
      readonly outcome: "revoked" | "disabled" | "superseded" | "expired" | "invalid_scope";
      readonly connectionId: string;
    }
  | { readonly outcome: "unknown" };

/** @throws errors of Postgres */
export type Refresher = (request: Refresh) => Promise<RefreshOutcome>;

/**
 * Returns the function that refreshes a token. Refreshes in one iteration of the event loop share a
 * statement. Each then records its use, if the recorded use is too old. A concurrent revocation
 * outdates the token's generation; a concurrent approval only narrows the token to the new scope.
 * @param ttl - lifetime of a refresh token, seconds
 */
export function refresher(sql: Sql, ttl: number): Refresher {
  const connections = loader((asked) => findConnections(sql, asked, ttl));
  const erased = loader((asked) => findErased(sql, asked));
  return async (request) => {
    const row = await connections.load(request);
    const result = refreshOutcome(row, request);
    if (result.outcome === "refreshed" && row?.use_is_stale) await recordUse(sql, request, ttl);
    // An erased shop has no row, or a new shop's row with its id (a known token is 'superseded').
    if (result.outcome !== "unknown" && result.outcome !== "superseded") return result;
    const connectionId = await erased.load(request);
    return connectionId === undefined ? result : { outcome: "revoked", connectionId };
  };
}

/**
 * The outcome by the first rule that applies. An approval sets the hash to null, so the
 * connection's former token is 'superseded'.
 */
function refreshOutcome(row: RefreshRow | undefined, request: Refresh): RefreshOutcome {
  const isCurrent = row?.refresh_token_hash?.equals(request.refreshTokenHash) ?? false;
  if (!row || !(isCurrent || request.isKnown)) return { outcome: "unknown" };
  const { id: connectionId } = row;
  if (row.status === "revoked") return { outcome: "revoked", connectionId };
  if (row.disabled) return { outcome: "disabled", connectionId };
  if (!isCurrent) return { outcome: "superseded", connectionId };
  if (row.is_expired) return { outcome: "expired", connectionId };
  const granted: readonly string[] = row.scope;
  if (request.scope?.some((value) => !granted.includes(value)))
    return { outcome: "invalid_scope", connectionId };
  return {
    outcome: "refreshed",
    subject: {
      connectionId,
      shopId: row.shop_id,
      clientId: row.client_id,
      grantId: row.grant_id,
      generation: row.generation,
      scope: row.scope,
      clientScope: row.client_scope,
      plan: row.plan,
    },
  };
}

/** Batches `find`. If a Citus node fails, only the refreshes that need this node fail. */
function loader<T>(find: (asked: readonly Refresh[]) => Promise<T[]>): DataLoader<Refresh, T> {
  const findOne = (one: Refresh) =>
    find([one]).then(
      ([found]) => found as T,
      (error: Error) => error,
    );
  const findAll = (asked: readonly Refresh[]) =>
    find(asked).catch((error): Promise<(T | Error)[]> => {
      if (!isFaultOfANode(error)) throw error;
      return Promise.all(asked.map(findOne));
    });
  return new DataLoader(findAll, { cache: false, batchScheduleFn: setImmediate });
}

/**
 * $1: shops. $2: clients. $3: lag of `last_used_at`, seconds. $4: a token's lifetime plus the lag.
 * Also returns rows for other pairs of these shops and clients. Index: connections_pkey.
 */
const FIND = `
  SELECT c.id, c.shop_id, c.client_id, c.grant_id, c.generation, c.scope, c.status, c.disabled, c.refresh_token_hash,
    s.plan, k.scope AS client_scope,
    c.last_used_at < now() - make_interval(secs => $3) AS use_is_stale,
    c.last_used_at < now() - make_interval(secs => $4) AS is_expired
  FROM oauth.connections c
    JOIN directory.shops s ON s.id = c.shop_id
    JOIN directory.clients k ON k.client_id = c.client_id
  WHERE c.shop_id = ANY ($1::text[]) AND c.client_id = ANY ($2::text[])`;

async function findConnections(
  sql: Sql,
  asked: readonly Refresh[],
  ttl: number,
): Promise<(RefreshRow | undefined)[]> {
  const lag = lastUseLagSeconds(ttl);
  const ids = [asked.map(({ shopId }) => shopId), asked.map(({ clientId }) => clientId)].map(
    paddedToTen,
  );
  const rows = await sql.unsafe<RefreshRow[]>(FIND, [...ids, lag, ttl + lag], { prepare: true });
  const found = new Map(rows.map((row) => [`${row.shop_id} ${row.client_id}`, row]));
  return asked.map(({ shopId, clientId }) => found.get(`${shopId} ${clientId}`));
}

/**
 * Postgres assumes ten elements for the cost of the generic plan. Shorter arrays would make custom
 * plans look cheaper, so that it would plan every call.
 */
function paddedToTen(ids: readonly string[]): string[] {
  const distinct = [...new Set(ids)];
  return [...distinct, ...Array<string>(Math.max(10 - distinct.length, 0)).fill(distinct[0] ?? "")];
}

/**
 * The ids of the connections of erased shops that had these tokens. Index: ended_connections_pkey.
 */
async function findErased(sql: Sql, asked: readonly Refresh[]): Promise<(string | undefined)[]> {
  const hashes = asked.map(({ refreshTokenHash }) => refreshTokenHash.toString("hex"));
  const shopIds = asked.map(({ shopId }) => shopId);
  const rows = await sql<{ id: string; client_id: string; hash: string }[]>`
    SELECT id, client_id, encode(refresh_token_hash, 'hex') AS hash FROM oauth.ended_connections
    WHERE ${ofShops(sql, "shop_id", shopIds)} AND encode(refresh_token_hash, 'hex') = ANY (${hashes}::text[])`;
  const found = new Map(rows.map(({ hash, client_id, id }) => [`${hash} ${client_id}`, id]));
  return asked.map(({ clientId }, index) => found.get(`${hashes[index]} ${clientId}`));
}

interface RefreshRow {
  readonly id: string;
  readonly shop_id: string;
  readonly client_id: string;
  readonly grant_id: string;
  readonly generation: number;
  readonly scope: readonly Scope[];
  readonly status: string;
  readonly disabled: boolean;
  readonly refresh_token_hash: Buffer | null;
  readonly plan: Plan;
  readonly client_scope: readonly Scope[];
  /** True if `last_used_at` is too old and must be written. */
  readonly use_is_stale: boolean | null;
  /** True if the recorded last use is longer ago than the token's lifetime and the lag. */
  readonly is_expired: boolean | null;
}

async function recordUse(sql: Sql, { shopId, clientId, refreshTokenHash }: Refresh, ttl: number) {
  await sql`
    UPDATE oauth.connections SET last_used_at = now()
    WHERE shop_id = ${shopId} AND client_id = ${clientId} AND refresh_token_hash = ${refreshTokenHash}
      AND ${isPossibleSql(sql, "refresh")} AND NOT disabled
      AND last_used_at < now() - make_interval(secs => ${lastUseLagSeconds(ttl)})`;
}
