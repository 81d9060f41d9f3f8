import type { Actor } from "@partner-connect/audit";
import { deleteOfShop, type Sql, transaction } from "@partner-connect/database";
import { recordForgotten } from "../purge-connections.ts";
import { batches, type ConnectionsOf } from "./revoke-all.ts";

/** Rows of one transaction. */
const BATCH = 500;

/**
 * Deletes all connections of a client or a shop, what was counted of them, and the holds on them; each leaves a record. Revoke them
 * before. It commits batch by batch, and may be repeated. Needs the owner's role.
 *
 * @param before gets the hashes (SHA-256) of a batch's refresh tokens, before the batch is gone
 */
export async function forgetAll(
  sql: Sql,
  of: ConnectionsOf,
  actor: Actor,
  before: (tokenHashes: readonly Buffer[]) => Promise<void>,
): Promise<number> {
  let forgotten = 0;
  for await (const found of batches(sql, of, sql`true`, BATCH)) {
    const each = (name: "id" | "shopId" | "clientId") => [...new Set(found.map((key) => key[name]))];
    const [shops, clients, ids] = [each("shopId"), each("clientId"), each("id")];
    const these = sql`shop_id = ANY (${shops}::text[]) AND client_id = ANY (${clients}::text[]) AND id = ANY (${ids}::text[])`;
    const tokens = await sql<{ hash: Buffer }[]>`
      SELECT refresh_token_hash AS hash FROM oauth.connections WHERE ${these} AND refresh_token_hash IS NOT NULL`;
    await before(tokens.map(({ hash }) => hash));
    forgotten += await transaction(sql, async (tx) => {
      const gone = await tx`DELETE FROM oauth.connections WHERE ${these} RETURNING id, shop_id, client_id, status`;
      await tx`DELETE FROM oauth.api_usage WHERE shop_id = ANY (${shops}::text[]) AND caller_id = ANY (${ids}::text[])`;
      if (gone.length > 0) await recordForgotten(tx, gone, actor);
      return gone.length;
    });
  }
  return forgotten;
}

/** Deletes what was counted of all callers of a shop. Needs the owner's role. */
export async function eraseUsage(sql: Sql, shopId: string): Promise<number> {
  return await deleteOfShop(sql, { table: "oauth.api_usage", key: ["caller_id", "hour"] }, shopId);
}
