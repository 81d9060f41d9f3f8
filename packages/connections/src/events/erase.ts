import { type Actor, recordAuditOfEach } from "@partner-connect/audit";
import { deleteInBatches, type Row, type Sql, type Transaction } from "@partner-connect/database";
import {
  eraseShop,
  markErasure,
  requestShopErasure,
  revokeApiKeys,
} from "@partner-connect/directory";
import { changeRecord } from "./record.ts";
import { revokeAll } from "./revoke.ts";

/**
 * Deletes all connections of a client, or of a shop that is being erased, including held ones, with
 * a record for each. A shop's stay as ended ones. Revoke them before. Commits in batches, and can
 * be repeated. Needs the owner's role or the back office's.
 * @param forgetTokens gets the SHA-256 hashes of a batch's refresh tokens before the batch's commit
 */
export async function forgetAll(
  sql: Sql,
  {
    clientId,
    shopId,
  }:
    | { readonly clientId: string; readonly shopId?: never }
    | { readonly clientId?: never; readonly shopId: string },
  actor: Actor,
  forgetTokens: (hashes: readonly Buffer[]) => Promise<void>,
): Promise<number> {
  const which =
    shopId === undefined
      ? { condition: "t.client_id = $1", value: clientId }
      : ofErasedShop(shopId);
  const rows = { table: "oauth.connections", key: ["shop_id", "client_id"], ...which };
  return await deleteInBatches(sql, rows, {
    returning: "shop_id, client_id, id, status, refresh_token_hash, connected_at",
    async onDeleted(tx, gone) {
      const column = (name: string) => gone.map((row) => row[name] as string);
      await tx`
        DELETE FROM oauth.api_usage
        WHERE shop_id = ANY (${column("shop_id")}::text[]) AND caller_id = ANY (${column("id")}::text[])`;
      await recordForgotten(tx, gone, actor);
      if (shopId !== undefined) await keepEnded(tx, shopId, gone);
      await forgetTokens(gone.flatMap((row) => (row["refresh_token_hash"] as Buffer | null) ?? []));
    },
  });
}

/**
 * Rows of a shop while it is being erased. If another process has erased it since, a new shop of
 * this id keeps its rows.
 */
const ofErasedShop = (id: string) => ({
  condition:
    "t.shop_id = $1 AND EXISTS (SELECT FROM directory.shops s WHERE s.id = $1 AND s.erase_requested_at IS NOT NULL)",
  value: id,
});

/**
 * Keeps the connections of an erased shop, but none of a test shop, and no approval without an
 * exchange.
 */
async function keepEnded(tx: Transaction, shopId: string, gone: readonly Row[]): Promise<void> {
  const [testShop] =
    await tx`SELECT FROM directory.shops WHERE id = ${shopId} AND test_of IS NOT NULL`;
  if (testShop) return;
  for (const { id, client_id, refresh_token_hash, connected_at } of gone) {
    if (connected_at === null) continue;
    await tx`
      INSERT INTO oauth.ended_connections (shop_id, id, client_id, refresh_token_hash)
      VALUES (${shopId}, ${id as string}, ${client_id as string}, ${refresh_token_hash as Buffer | null})`;
  }
}

/** Records deletions. @param gone rows with id, shop_id, client_id and status */
export async function recordForgotten(
  tx: Transaction,
  gone: readonly Row[],
  actor: Actor,
): Promise<void> {
  const column = (name: string) => gone.map((row) => row[name] as string);
  const from = tx`
    FROM unnest(${column("shop_id")}::text[], ${column("client_id")}::text[], ${column("id")}::text[], ${column("status")}::text[])
      AS gone (shop_id, client_id, id, status)`;
  await recordAuditOfEach(
    tx,
    changeRecord(tx, "forget", actor, from, tx`jsonb_build_object('status', status)`),
  );
}

/**
 * A shop's survey data, in the order of deletion: deleting a response inserts a row into
 * `deleted_responses`, and takes a stamp.
 */
const SURVEY_TABLES = [
  { table: "survey.responses", key: ["shop_id", "id"] },
  { table: "survey.deleted_responses", key: ["shop_id", "id"] },
  { table: "survey.questions", key: ["shop_id", "id"] },
  { table: "survey.sources", key: ["shop_id", "id"] },
  { table: "survey.idempotency_keys", key: ["shop_id", "caller_id", "key_hash"] },
  { table: "survey.stamps", key: ["shop_id"] },
];
const USAGE = { table: "oauth.api_usage", key: ["shop_id", "caller_id", "hour"] };

/**
 * Ends all access to a shop, and has the back office erase it. Can be repeated. Nothing happens if
 * there is none.
 */
export async function endWholeShop(sql: Sql, id: string, actor: Actor): Promise<void> {
  if (await requestShopErasure(sql, id, actor)) await endAccess(sql, id, actor);
}

async function endAccess(sql: Sql, shopId: string, actor: Actor): Promise<void> {
  await revokeAll(sql, { shopId }, actor);
  await revokeApiKeys(sql, shopId, actor);
}

/**
 * Erases everything stored of a shop, in batches: after a failure the same call continues. Needs
 * the owner's role or the back office's.
 * @param forgetTokens as `forgetAll` has it
 * @param report gets the number of rows deleted so far
 */
export async function eraseWholeShop(
  sql: Sql,
  id: string,
  actor: Actor,
  forgetTokens: Parameters<typeof forgetAll>[3],
  report: (done: number) => void = () => {},
) {
  await markErasure(sql, id, actor);
  await endAccess(sql, id, actor);
  const ofShop = ofErasedShop(id);
  let rows = 0;
  for (const table of SURVEY_TABLES) {
    const before = rows;
    rows += await deleteInBatches(
      sql,
      { ...table, ...ofShop },
      { onProgress: (deleted) => report(before + deleted) },
    );
  }
  const connections = await forgetAll(sql, { shopId: id }, actor, forgetTokens);
  await deleteInBatches(sql, { ...USAGE, ...ofShop });
  report(rows + connections);
  const counts = { rows, connections };
  const records = await eraseShop(sql, id, counts, actor);
  return { ...counts, audit_records: records };
}
