import { type Actor, recordAuditOfEach } from "@partner-connect/audit";
import {
  deleteInBatches,
  type Queries,
  type Row,
  type Sql,
  type Transaction,
} from "@partner-connect/database";
import { rowsOfErasingShop } from "@partner-connect/directory";
import { auditOfChange } from "./audit-and-mail.ts";

/**
 * Deletes all connections, including those on hold, of a client or of a shop that is being erased,
 * and their API usage, with a record for each. A shop's connections move to the ended connections,
 * and its API keys' usage is deleted too. Revoke the connections first. Commits in batches, and can
 * be repeated. Needs the owner's role or the back office's.
 * @param forgetTokens gets the SHA-256 hashes of a batch's refresh tokens before the batch's commit
 */
export async function forgetConnections(
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
      : rowsOfErasingShop(shopId);
  const rows = { table: "oauth.connections", key: ["shop_id", "client_id"], ...which };
  const forgotten = await deleteInBatches(sql, rows, {
    returning: "shop_id, client_id, id, status, refresh_token_hash, connected_at",
    async onDeleted(tx, gone) {
      const column = (name: string) => gone.map((row) => row[name] as string);
      await tx`
        DELETE FROM oauth.api_usage
        WHERE shop_id = ANY (${column("shop_id")}::text[]) AND caller_id = ANY (${column("id")}::text[])`;
      await recordForgotten(tx, gone, actor);
      if (shopId !== undefined) await addEnded(tx, shopId, gone);
      await forgetTokens(gone.flatMap((row) => (row["refresh_token_hash"] as Buffer | null) ?? []));
    },
  });
  if (shopId !== undefined) await deleteInBatches(sql, { ...USAGE, ...which });
  return forgotten;
}

const USAGE = { table: "oauth.api_usage", key: ["shop_id", "caller_id", "hour"] };

/**
 * Adds an erased shop's connections to the ended ones, except those of a test shop and those that
 * were never exchanged.
 */
async function addEnded(tx: Transaction, shopId: string, gone: readonly Row[]): Promise<void> {
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

/** Records deletions of connections. @param gone rows with id, shop_id, client_id and status */
export async function recordForgotten(tx: Transaction, gone: readonly Row[], actor: Actor) {
  const column = (name: string) => gone.map((row) => row[name] as string);
  const from = tx`
    FROM unnest(${column("shop_id")}::text[], ${column("client_id")}::text[], ${column("id")}::text[], ${column("status")}::text[])
      AS gone (shop_id, client_id, id, status)`;
  await recordAuditOfEach(
    tx,
    auditOfChange(tx, "forget", actor, from, tx`jsonb_build_object('status', status)`),
  );
}

/** Deletes a client's counts and stored refusals. */
export async function forgetClientActivity(tx: Queries, clientId: string): Promise<void> {
  await tx`DELETE FROM oauth.client_activity WHERE client_id = ${clientId}`;
  await tx`DELETE FROM oauth.client_refusals WHERE client_id = ${clientId}`;
}
