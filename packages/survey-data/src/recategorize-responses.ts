import { type Sql, transaction } from "@partner-connect/database";
import type { TransactionSql } from "postgres";
import { FieldError, requireText } from "./record/field.ts";
import { requireShop } from "./shop.ts";
import { takeStamp } from "./take-stamp.ts";

export interface Recategorization {
  readonly shopId: string;
  readonly ids: readonly string[];
  /** The new category. */
  readonly response: string;
}

/**
 * Gives the responses a new `response`, and one common updated_at that no reader of the shop has passed.
 * `original_response` keeps what was answered before the first recategorization. Returns how many changed (those that
 * had this response already don't) and the ids that the shop doesn't have.
 *
 * One set-based statement: readers wait for nothing and see the old state until all of it is committed.
 * Needs the owner's role. Throws {@link UnknownShopError}, or {@link FieldError} for a response that can't be stored.
 */
export async function recategorizeResponses(
  sql: Sql,
  recategorization: Recategorization,
): Promise<{ changed: number; missing: string[] }> {
  if (requireText(recategorization.response, "response") === "") throw new FieldError("response", "is empty");
  return await transaction(sql, async (inside) => {
    await requireShop(inside, recategorization.shopId);
    const stamp = await takeStamp(inside, recategorization.shopId);
    return await recategorize(inside, recategorization, stamp);
  });
}

/** Index: responses_pkey. */
async function recategorize(
  sql: TransactionSql,
  { shopId, ids, response }: Recategorization,
  stamp: Date,
): Promise<{ changed: number; missing: string[] }> {
  const [result] = await sql<{ changed: number; missing: string[] }[]>`
    WITH wanted AS (
      SELECT DISTINCT unnest(${[...ids]}::text[]) COLLATE "C" AS id
    ), changed AS (
      UPDATE survey.responses AS stored
      SET updated_at = ${stamp}, doc = survey.recategorized_doc(stored.doc, ${stamp}, ${JSON.stringify(response)})
      FROM wanted
      WHERE stored.shop_id = ${shopId} AND stored.id = wanted.id
        AND survey.response_of(stored.doc) <> ${JSON.stringify(response)}
      RETURNING stored.id
    ), missing AS (
      SELECT id FROM wanted
      WHERE NOT EXISTS (SELECT FROM survey.responses WHERE shop_id = ${shopId} AND id = wanted.id)
    )
    SELECT (SELECT count(*)::int FROM changed) AS changed,
           (SELECT coalesce(array_agg(id ORDER BY id), '{}') FROM missing) AS missing`;
  if (!result) throw new Error("an aggregate returned no row");
  return result;
}
