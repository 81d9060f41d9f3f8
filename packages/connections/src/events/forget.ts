import { type Actor, recordAuditOfEach } from "@partner-connect/audit";
import { deleteInBatches, type Row, type Sql, type Transaction } from "@partner-connect/database";
import { changeRecord } from "./change-record.ts";

/**
 * Deletes all connections of a client or a shop, including held ones, with a record for each. Revoke them before. Commits in batches, and
 * can be repeated. Needs the owner's role or the back office's. @param forgetTokens gets the SHA-256 hashes of a batch's refresh tokens before the batch's
 * commit
 */
export async function forgetAll(
  sql: Sql,
  {
    clientId,
    shopId,
  }:
    | { readonly clientId: string; readonly shopId?: undefined }
    | { readonly clientId?: undefined; readonly shopId: string },
  actor: Actor,
  forgetTokens: (hashes: readonly Buffer[]) => Promise<void>,
): Promise<number> {
  const [condition, value] = shopId === undefined ? ["t.client_id = $1", clientId] : ["t.shop_id = $1", shopId];
  const rows = { table: "oauth.connections", key: ["shop_id", "client_id"], condition, value };
  return await deleteInBatches(sql, rows, {
    returning: "shop_id, client_id, id, status, refresh_token_hash",
    async onDeleted(tx, gone) {
      const column = (name: string) => gone.map((row) => row[name] as string);
      await tx`
        DELETE FROM oauth.api_usage
        WHERE shop_id = ANY (${column("shop_id")}::text[]) AND caller_id = ANY (${column("id")}::text[])`;
      await recordForgotten(tx, gone, actor);
      await forgetTokens(gone.flatMap((row) => (row["refresh_token_hash"] as Buffer | null) ?? []));
    },
  });
}

/** Records deletions. @param gone rows with id, shop_id, client_id and status */
export async function recordForgotten(tx: Transaction, gone: readonly Row[], actor: Actor): Promise<void> {
  const column = (name: string) => gone.map((row) => row[name] as string);
  const from = tx`
    FROM unnest(${column("shop_id")}::text[], ${column("client_id")}::text[], ${column("id")}::text[], ${column("status")}::text[])
      AS gone (shop_id, client_id, id, status)`;
  await recordAuditOfEach(tx, changeRecord(tx, "forget", actor, from, tx`jsonb_build_object('status', status)`));
}
