import { type Actor, changeWithRecords } from "@partner-connect/audit";
import { type Queries, type Sql, type Statement, transaction } from "@partner-connect/database";
import { shopIsBeingErased } from "@partner-connect/directory";
import { TRANSITIONS } from "../connection.ts";
import { auditOfChange, mailDisconnected } from "./audit-and-mail.ts";
import { isPossibleSql } from "./is-possible.ts";

export interface ConnectionKey {
  readonly shopId: string;
  readonly id: string;
}

/**
 * Ends the connection; with `grantId`, only if that is still its grant. False if nothing was ended.
 * Index: connections_shop_id_id_key.
 */
export async function revoke(
  sql: Queries,
  connection: ConnectionKey,
  actor: Actor,
  options: { readonly reason?: string | undefined; readonly grantId?: string } = {},
): Promise<boolean> {
  const { reason = null, grantId = null } = options;
  const condition = sql`id = ${connection.id} AND grant_id = coalesce(${grantId}, grant_id)`;
  return (await revokeWhere(sql, connection.shopId, condition, actor, reason)) !== null;
}

/** A token with which a client may end its connection. */
export type RevocableToken = { readonly shopId: string; readonly clientId: string } & (
  | { readonly refreshTokenHash: Buffer }
  /** An access token's claims. */
  | { readonly grantId: string; readonly generation: number }
);

/**
 * Ends the connection, if the token belongs to its current grant. Null if nothing was ended. Index:
 * connections_pkey.
 */
export async function revokeByToken(
  sql: Sql,
  token: RevocableToken,
  actor: Actor,
  reason: string,
): Promise<{ connectionId: string } | null> {
  const isCurrent =
    "refreshTokenHash" in token
      ? sql`refresh_token_hash = ${token.refreshTokenHash}`
      : sql`grant_id = ${token.grantId} AND generation = ${token.generation}`;
  const condition = sql`client_id = ${token.clientId} AND ${isCurrent}`;
  return await revokeWhere(sql, token.shopId, condition, actor, reason);
}

async function revokeWhere(
  sql: Queries,
  shopId: string,
  condition: Statement,
  actor: Actor,
  reason: string | null,
): Promise<{ connectionId: string } | null> {
  return await transaction(sql, async (tx) => {
    const changes = sql`
    revoked AS (
      UPDATE oauth.connections
      SET status = ${sql.json(TRANSITIONS.revoke)}::jsonb ->> status, generation = generation + 1
      WHERE shop_id = ${shopId} AND ${condition} AND ${isPossibleSql(sql, "revoke")}
      RETURNING id, shop_id, client_id, grant_id
    )`;
    const detail = sql`jsonb_build_object('grant_id', grant_id, 'reason', ${reason}::text)`;
    const record = auditOfChange(sql, "revoke", actor, sql`FROM revoked`, detail);
    const select = sql<Parameters<typeof mailDisconnected>[2][]>`
      SELECT c.id, c.shop_id AS "shopId", c.client_id AS "clientId", k.name AS app, k.contact
      FROM revoked c JOIN directory.clients k ON k.client_id = c.client_id`;
    const [row] = await changeWithRecords(tx, record, changes, select);
    if (!row) return null;
    await mailDisconnected(tx, actor, row, reason);
    return { connectionId: row.id };
  });
}

/** Puts the connection on hold: every token and approval is refused. False if it already was. */
export async function disable(sql: Queries, connection: ConnectionKey, actor: Actor) {
  return await setHold(sql, connection, actor, true);
}

/**
 * Ends the hold and restores the connection with the same refresh token. False if there is no hold.
 */
export async function enable(sql: Queries, connection: ConnectionKey, actor: Actor) {
  return await setHold(sql, connection, actor, false);
}

/** Index: connections_shop_id_id_key. */
async function setHold(sql: Queries, connection: ConnectionKey, actor: Actor, disabled: boolean) {
  const changes = sql`
    changed AS (
      UPDATE oauth.connections SET disabled = ${disabled}, generation = generation + ${disabled ? 1 : 0}
      WHERE shop_id = ${connection.shopId} AND id = ${connection.id} AND disabled <> ${disabled}
      RETURNING id, shop_id, client_id, grant_id
    )`;
  const record = auditOfChange(sql, disabled ? "disable" : "enable", actor, sql`FROM changed`);
  const rows = await changeWithRecords(sql, record, changes, sql`SELECT id FROM changed`);
  return rows.length === 1;
}

/** Rows per transaction. */
const BATCH = 100;

/** Selects all connections of a client, all of a shop, or the one between the two. */
export type ConnectionsOf =
  | { readonly clientId: string; readonly shopId?: string | undefined }
  | { readonly clientId?: string | undefined; readonly shopId: string };

/**
 * The number of connections that can be revoked, including those approved but not yet connected,
 * and those on hold. Indexes: connections_of_client, connections_pkey.
 */
export async function countRevocable(sql: Sql, of: ConnectionsOf): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM oauth.connections WHERE ${connectionsOfSql(sql, of)} AND ${isPossibleSql(sql, "revoke")}`;
  return row?.count ?? 0;
}

interface RevokeAllOptions {
  readonly onProgress?: (revoked: number) => void;
  readonly batch?: number;
  /** The reason given in the mails to the shops' members. */
  readonly reason?: string | undefined;
  /** Stops once the shop is erased, so that a new shop with its id keeps its connections. */
  readonly whileErasing?: boolean;
}

/**
 * Revokes the connections like `revoke`, each with its record, and returns their number. Commits in
 * batches, so an interrupted call can be repeated. A concurrent approval may remain: disable the
 * client first. @param onProgress gets the number revoked so far, after commits
 */
export async function revokeAll(
  sql: Sql,
  of: ConnectionsOf,
  actor: Actor,
  { onProgress, batch = BATCH, reason, whileErasing = false }: RevokeAllOptions = {},
): Promise<number> {
  const isErasing = whileErasing ? sql`AND ${shopIsBeingErased(sql)}` : sql``;
  let revoked = 0;
  for (let after = ""; ; ) {
    const found: ConnectionKey[] = await sql<ConnectionKey[]>`
      SELECT id, shop_id AS "shopId" FROM oauth.connections
      WHERE ${connectionsOfSql(sql, of)} AND ${isPossibleSql(sql, "revoke")} AND id > ${after} ${isErasing}
      ORDER BY id LIMIT ${batch}`;
    const last = found.at(-1);
    if (!last) return revoked;
    revoked += await transaction(sql, async (tx) => {
      let ended = 0;
      for (const key of found) if (await revoke(tx, key, actor, { reason })) ended += 1;
      return ended;
    });
    onProgress?.(revoked);
    after = last.id;
  }
}

function connectionsOfSql(sql: Sql, { clientId, shopId }: ConnectionsOf): Statement {
  return sql`
    ${clientId === undefined ? sql`true` : sql`client_id = ${clientId}`}
    AND ${shopId === undefined ? sql`true` : sql`shop_id = ${shopId}`}`;
}
