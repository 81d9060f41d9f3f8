import type { Actor } from "@partner-connect/audit";
import { type Sql, type Statement, type Transaction, transaction } from "@partner-connect/database";
import { TRANSITIONS } from "../connection.ts";
import { BY_OPERATOR } from "./member-mails.ts";
import { type ConnectionKey, revoke } from "./revoke.ts";

/** Rows per transaction. */
const BATCH = 100;

/** All connections of a client, of a shop, or between the two. */
export type ConnectionsOf =
  | { readonly clientId: string; readonly shopId?: string | undefined }
  | { readonly clientId?: string | undefined; readonly shopId: string };

/** The number of revocable connections, including first approvals and held ones. Indexes: connections_of_client, connections_pkey. */
export async function countRevocable(sql: Sql, of: ConnectionsOf): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM oauth.connections WHERE ${whose(sql, of)} AND ${revocable(sql)}`;
  return row?.count ?? 0;
}

interface RevokeAllOptions {
  readonly onProgress?: (revoked: number) => void;
  readonly batch?: number;
  /** What the shops' members are mailed. */
  readonly reason?: string | undefined;
}

/**
 * Revokes them like `revoke`, each with its record, and returns their number. Each transaction takes some milliseconds, so repeat an
 * interrupted call. Concurrent approvals may remain: disable the client first. @param onProgress gets the number revoked so far after each
 * commit
 */
export async function revokeAll(
  sql: Sql,
  of: ConnectionsOf,
  actor: Actor,
  { onProgress, batch = BATCH, reason = BY_OPERATOR }: RevokeAllOptions = {},
): Promise<number> {
  let revoked = 0;
  for (let after = ""; ; ) {
    const found: ConnectionKey[] = await sql<ConnectionKey[]>`
      SELECT id, shop_id AS "shopId" FROM oauth.connections
      WHERE ${whose(sql, of)} AND ${revocable(sql)} AND id > ${after} ORDER BY id LIMIT ${batch}`;
    const last = found.at(-1);
    if (!last) return revoked;
    revoked += await transaction(sql, (tx) => revokeThese(tx, found, actor, reason));
    onProgress?.(revoked);
    after = last.id;
  }
}

function revocable(sql: Sql): Statement {
  return sql`status = ANY (${Object.keys(TRANSITIONS.revoke)}::text[])`;
}

function whose(sql: Sql, { clientId, shopId }: ConnectionsOf): Statement {
  return sql`
    ${clientId === undefined ? sql`true` : sql`client_id = ${clientId}`}
    AND ${shopId === undefined ? sql`true` : sql`shop_id = ${shopId}`}`;
}

async function revokeThese(
  tx: Transaction,
  found: readonly ConnectionKey[],
  actor: Actor,
  reason: string,
): Promise<number> {
  let revoked = 0;
  for (const key of found) if (await revoke(tx, key, actor, { reason })) revoked += 1;
  return revoked;
}
