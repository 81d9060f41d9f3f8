import type { Plan } from "@partner-connect/contract";
import type { Sql, Statement } from "@partner-connect/database";
import type { Connection } from "../connection.ts";
import { connectionState, ofShops, unlessApproved } from "./list-connections.ts";

export interface ClientConnection
  extends Pick<
    Connection,
    "id" | "shopId" | "status" | "scope" | "connectedAt" | "lastUsedAt" | "expiresAt"
  > {
  readonly shopName: string;
  readonly shopDomain: string | null;
  readonly plan: Plan;
}

export interface ClientConnectionPage {
  /** `backward`: the rows nearest before the cursor. Pages are ordered by id in both directions. */
  readonly direction: "forward" | "backward";
  /** The id of one of the client's connections, of any status; absent for the first page. */
  readonly cursor?: string | undefined;
  readonly status?: Connection["status"] | undefined;
  readonly limit: number;
  /**
   * A prefix of the shop's name or domain, case-insensitive; or the id of the shop or connection.
   */
  readonly search?: string | undefined;
  /** Only the connections with these ids. */
  readonly only?: readonly string[] | undefined;
}

interface Page<Found> {
  readonly rows: Found[];
  readonly precedes: boolean;
  readonly follows: boolean;
}

/**
 * A page of a client's connections by id, including ended ones. Null if the cursor is unknown.
 * Index: connections_of_client.
 */
export async function clientConnections(
  sql: Sql,
  clientId: string,
  page: ClientConnectionPage,
  refreshTokenTtlSeconds: number,
): Promise<Page<ClientConnection> | null> {
  return pageOf([await readCurrent(sql, clientId, page, refreshTokenTtlSeconds)], page);
}

/** Any connection of a client. If its shop was erased, it has no names, scope or times. */
export type AnyConnection = Omit<ClientConnection, "shopName"> & {
  readonly shopName: string | null;
};

/**
 * Like {@link clientConnections}, including connections of erased shops. Index:
 * ended_connections_of_client.
 */
export async function allConnections(
  sql: Sql,
  clientId: string,
  page: Omit<ClientConnectionPage, "search">,
  refreshTokenTtlSeconds: number,
): Promise<Page<AnyConnection> | null> {
  // In this order, a connection whose shop is erased between the reads is in both, not in neither.
  const current = await readCurrent(sql, clientId, page, refreshTokenTtlSeconds);
  const ended = await readPart<AnyConnection>(sql, page, {
    columns: sql`
      c.shop_id AS "shopId", NULL AS "shopName", NULL AS "shopDomain", 'standard' AS plan, '{}'::text[] AS scope,
      NULL AS "connectedAt", NULL AS "lastUsedAt", NULL AS "expiresAt", 'revoked' AS status`,
    from: sql`oauth.ended_connections c`,
    of: sql`c.client_id = ${clientId}`,
    filter: sql`${page.status === undefined || page.status === "revoked" ? sql`` : sql`AND false`} ${andIdInSql(sql, page.only)}`,
  });
  const moved = new Set(ended.read.map(({ id }) => id));
  const read = current.read.filter(({ id }) => !moved.has(id));
  return pageOf<AnyConnection>([{ ...current, read }, ended], page);
}

function readCurrent(
  sql: Sql,
  clientId: string,
  page: ClientConnectionPage,
  refreshTokenTtlSeconds: number,
) {
  const { status, search, only } = page;
  const state = connectionState(sql, refreshTokenTtlSeconds);
  return readPart<ClientConnection>(sql, page, {
    columns: sql`
      c.shop_id AS "shopId", s.name AS "shopName", s.domain AS "shopDomain", s.plan, c.scope,
      ${unlessApproved(sql, "connected_at")} AS "connectedAt", ${unlessApproved(sql, "last_used_at")} AS "lastUsedAt",
      ${state.expiresAt} AS "expiresAt", ${state.status} AS status`,
    from: sql`oauth.connections c`,
    shops: sql`JOIN directory.shops s ON s.id = c.shop_id`,
    of: ofClient(sql, clientId),
    filter: sql`${matchesSql(sql, { status, search }, state.status)} ${andIdInSql(sql, only)}`,
  });
}

const andIdInSql = (sql: Sql, ids: readonly string[] | undefined): Statement =>
  ids === undefined ? sql`` : sql`AND c.id = ANY (${ids}::text[])`;

interface Part<Found> {
  /** Rows from the cursor on, at most `limit` + 1. */
  readonly read: readonly Found[];
  readonly hasCursor: boolean;
  /** True if matching rows exist on the other side of the cursor. */
  readonly isBehind: boolean;
}

/**
 * @param table SQL parts that select the client's rows as `c`. `columns` may use the join `shops`;
 * `filter` may use it only in a search, because one of the queries otherwise leaves it out
 */
async function readPart<Found extends ClientConnection | AnyConnection>(
  sql: Sql,
  { direction, cursor, limit, search }: ClientConnectionPage,
  table: Record<"columns" | "from" | "of" | "filter", Statement> & { shops?: Statement },
): Promise<Part<Found>> {
  const { columns, from, shops = sql``, of, filter } = table;
  const isForward = direction === "forward";
  const [read, known, behind] = await Promise.all([
    sql<Found[]>`
      SELECT c.id, ${columns} FROM ${from} ${shops}
      WHERE ${of} ${filter} ${cursor === undefined ? sql`` : isForward ? sql`AND c.id > ${cursor}` : sql`AND c.id < ${cursor}`}
      ORDER BY c.id ${isForward ? sql`ASC` : sql`DESC`} LIMIT ${limit + 1}`,
    cursor === undefined ? [] : sql`SELECT c.id FROM ${from} WHERE ${of} AND c.id = ${cursor}`,
    cursor === undefined
      ? []
      : sql`
        SELECT c.id FROM ${from} ${search === undefined ? sql`` : shops}
        WHERE ${of} ${filter} AND ${isForward ? sql`c.id <= ${cursor}` : sql`c.id >= ${cursor}`}
        ORDER BY c.id ${isForward ? sql`DESC` : sql`ASC`} LIMIT 1`,
  ]);
  return { read, hasCursor: known.length > 0, isBehind: behind.length > 0 };
}

/** Merges the parts' rows in the order of their ids. */
function pageOf<Found extends { readonly id: string }>(
  parts: readonly Part<Found>[],
  { direction, cursor, limit }: ClientConnectionPage,
): Page<Found> | null {
  if (cursor !== undefined && !parts.some(({ hasCursor }) => hasCursor)) return null;
  const isForward = direction === "forward";
  const read = parts
    .flatMap((part) => part.read)
    .toSorted((a, b) => (a.id < b.id === isForward ? -1 : 1));
  const rows = read.slice(0, limit);
  const [ahead, beyond] = [read.length > limit, parts.some(({ isBehind }) => isBehind)];
  return isForward
    ? { rows, precedes: beyond, follows: ahead }
    : { rows: rows.reverse(), precedes: ahead, follows: beyond };
}

/** The largest count. Postgres takes some 20 ms to count this many. */
export const MAX_COUNT = 50_000;

/** The number of a client's matching connections, at most 50,000. Index: connections_of_client. */
export async function countClientConnections(
  sql: Sql,
  clientId: string,
  filter: Pick<ClientConnectionPage, "status" | "search">,
  refreshTokenTtlSeconds: number,
): Promise<number> {
  const { status } = connectionState(sql, refreshTokenTtlSeconds);
  const [counted] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT c.id FROM oauth.connections c ${filter.search === undefined ? sql`` : sql`JOIN directory.shops s ON s.id = c.shop_id`}
      WHERE ${ofClient(sql, clientId)} ${matchesSql(sql, filter, status)} LIMIT ${MAX_COUNT}) AS found`;
  return counted?.count ?? 0;
}

function ofClient(sql: Sql, clientId: string) {
  return sql`c.client_id = ${clientId} AND c.connected_at IS NOT NULL`;
}

function matchesSql(
  sql: Sql,
  { status, search }: Pick<ClientConnectionPage, "status" | "search">,
  actual: ReturnType<typeof connectionState>["status"],
) {
  const searchSql = (text: string) =>
    text.startsWith("con_")
      ? sql`AND c.id = ${text}`
      : sql`AND (lower(s.name) COLLATE "C" ^@ lower(${text}) OR lower(s.domain) COLLATE "C" ^@ lower(${text}) OR s.id = ${text})`;
  return sql`${status === undefined ? sql`` : sql`AND ${actual} = ${status}`} ${search === undefined ? sql`` : searchSql(search)}`;
}

/**
 * The status of each connection of this client with these shops, by connection id. Index:
 * connections_pkey.
 */
export async function connectionStatuses(
  sql: Sql,
  clientId: string,
  shopIds: readonly string[],
  refreshTokenTtlSeconds: number,
): Promise<ReadonlyMap<string, Connection["status"]>> {
  const rows = await sql<{ id: string; status: Connection["status"] }[]>`
    SELECT c.id, ${connectionState(sql, refreshTokenTtlSeconds).status} AS status FROM oauth.connections c
    WHERE ${ofShops(sql, "c.shop_id", shopIds)} AND c.client_id = ${clientId}`;
  return new Map(rows.map(({ id, status }) => [id, status]));
}

export interface ConnectionCount {
  readonly status: Connection["status"];
  readonly connections: number;
}

/** Counts a client's connections by status, from all its rows. Index: connections_of_client. */
export async function countConnections(
  sql: Sql,
  clientId: string,
  refreshTokenTtlSeconds: number,
): Promise<ConnectionCount[]> {
  return await sql<ConnectionCount[]>`
    SELECT ${connectionState(sql, refreshTokenTtlSeconds).status} AS status, count(*)::int AS connections
    FROM oauth.connections c WHERE c.client_id = ${clientId} AND c.connected_at IS NOT NULL GROUP BY 1`;
}

/** Above this number of rows we estimate from a sample. Counting this many takes milliseconds. */
const MAX_COUNTED = 60_000;

/**
 * The number of connections by status, over all shops: counted, or estimated from a sample above
 * {@link MAX_COUNTED}.
 */
export async function estimateConnections(
  sql: Sql,
  refreshTokenTtlSeconds: number,
  enough: number = MAX_COUNTED,
): Promise<ConnectionCount[]> {
  // The estimate of the last vacuum or analyze; -1 before the first.
  const [table] = await sql<{ rows: number }[]>`
    SELECT reltuples::float8 AS rows FROM pg_class WHERE oid = 'oauth.connections'::regclass`;
  const share = Math.min(1, enough / Math.max(1, table?.rows ?? 1));
  const { status } = connectionState(sql, refreshTokenTtlSeconds);
  const sampled = await sql<ConnectionCount[]>`
    SELECT ${status} AS status, count(*)::float8 AS connections
    FROM oauth.connections c TABLESAMPLE SYSTEM (${share * 100}::float4) GROUP BY 1`;
  return sampled.map((row) => ({ ...row, connections: Math.round(row.connections / share) }));
}
