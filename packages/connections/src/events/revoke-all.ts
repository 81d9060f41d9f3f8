import { type Actor, recordAuditOfEach } from "@partner-connect/audit";
import { type Sql, type Statement, type Transaction, transaction } from "@partner-connect/database";
import { TRANSITIONS } from "../connection.ts";
import { ofShops } from "../lists/list-connections.ts";
import { changeRecord } from "./change-record.ts";
import { tellDisconnected } from "./tell-members.ts";

/** Rows of one transaction. */
const BATCH = 500;

/** All connections of a client, of a shop, or of that client with that shop. */
export type ConnectionsOf =
  | { readonly clientId: string; readonly shopId?: string | undefined }
  | { readonly clientId?: string | undefined; readonly shopId: string };

interface Key {
  readonly id: string;
  readonly shopId: string;
  readonly clientId: string;
}

/** How many can be revoked: first approvals and held ones too. Indexes: connections_of_client, connections_pkey. */
export async function countRevocable(sql: Sql, of: ConnectionsOf): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM oauth.connections WHERE ${whose(sql, of)} AND ${revocable(sql)}`;
  return row?.count ?? 0;
}

/**
 * Revokes them as `revoke` does, each with its record, and returns their number. It goes through them in transactions of some
 * milliseconds, so a call that ended halfway is repeated. What is approved meanwhile may stay: a client is disabled first.
 *
 * @param onProgress gets after each commit how many were revoked until then
 */
export async function revokeAll(
  sql: Sql,
  of: ConnectionsOf,
  actor: Actor,
  { onProgress, batch = BATCH }: { readonly onProgress?: (revoked: number) => void; readonly batch?: number } = {},
): Promise<number> {
  let revoked = 0;
  for (let after = ""; ; ) {
    const found: Key[] = await sql<Key[]>`
      SELECT id, shop_id AS "shopId", client_id AS "clientId" FROM oauth.connections
      WHERE ${whose(sql, of)} AND ${revocable(sql)} AND id > ${after} ORDER BY id LIMIT ${batch}`;
    const last = found.at(-1);
    if (!last) return revoked;
    revoked += await transaction(sql, (tx) => revokeThese(tx, found, actor));
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

/** Statements of their own, as a cluster makes no records of several shops in the statement that changes these. Index: connections_pkey. */
async function revokeThese(tx: Transaction, found: readonly Key[], actor: Actor): Promise<number> {
  const each = (name: keyof Key) => [...new Set(found.map((key) => key[name]))];
  const rows = await tx<(Key & { grantId: string })[]>`
    UPDATE oauth.connections
    SET status = ${tx.json(TRANSITIONS.revoke)}::jsonb ->> status, generation = generation + 1
    WHERE ${ofShops(tx, "shop_id", each("shopId"))} AND client_id = ANY (${each("clientId")}::text[])
      AND id = ANY (${each("id")}::text[]) AND ${tx.json(TRANSITIONS.revoke)}::jsonb ? status
    RETURNING id, shop_id AS "shopId", client_id AS "clientId", grant_id AS "grantId"`;
  const column = (name: keyof Key | "grantId") => rows.map((row) => row[name]);
  const from = tx`
    FROM unnest(${column("id")}::text[], ${column("shopId")}::text[], ${column("clientId")}::text[], ${column("grantId")}::text[])
      AS revoked (id, shop_id, client_id, grant_id)`;
  const detail = tx`jsonb_build_object('grant_id', grant_id, 'reason', 'operator')`;
  if (rows.length > 0) {
    await recordAuditOfEach(tx, changeRecord(tx, "revoke", actor, from, detail));
    await tellDisconnected(tx, actor, from);
  }
  return rows.length;
}
