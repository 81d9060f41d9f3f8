import { type Actor, recordAudit } from "@partner-connect/audit";
import type { Sql } from "@partner-connect/database";
import { requireShop, takeStamp, writeShop } from "./take-stamp.ts";

/**
 * Deletes responses and returns how many; a trigger records the deletions. The stamp locks the shop. Without an actor no audit record is
 * written. Needs the owner's role or the back office's. Index: responses_pkey. @throws {UnknownShopError}
 */
export async function deleteResponses(
  sql: Sql,
  { shopId, ids }: { readonly shopId: string; readonly ids: readonly string[] },
  actor: Actor | null,
): Promise<number> {
  return await writeShop(sql, shopId, async (inside) => {
    await takeStamp(inside, shopId, []);
    const { count: deleted } = await inside`
      DELETE FROM survey.responses WHERE shop_id = ${shopId} AND id = ANY (${[...ids]}::text[])`;
    if (deleted > 0 && actor) {
      await recordAudit(inside, { action: "response_delete", shopId, detail: { deleted } }, actor);
    }
    return deleted;
  });
}

/** Counts how many of these responses the shop has. Index: responses_pkey. @throws {UnknownShopError} */
export async function countResponses(
  sql: Sql,
  { shopId, ids }: { readonly shopId: string; readonly ids: readonly string[] },
): Promise<number> {
  await requireShop(sql, shopId);
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM survey.responses WHERE shop_id = ${shopId} AND id = ANY (${[...ids]}::text[])`;
  return row?.count ?? 0;
}
