import type { Sql } from "@partner-connect/database";
import type { TransactionSql } from "postgres";
import { FieldError, requireText } from "./record/field.ts";
import { writeShop } from "./shop-write.ts";
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
  return await writeShop(sql, recategorization.shopId, async (inside) => {
    const stamp = await takeStamp(inside, recategorization.shopId);
    return await recategorize(inside, recategorization, stamp);
  });
}

/** No joins: whatever the planner believes of the list, the time grows with its length. Index: responses_pkey. */
async function recategorize(
  sql: TransactionSql,
  { shopId, ids, response }: Recategorization,
  stamp: Date,
): Promise<{ changed: number; missing: string[] }> {
  const json = JSON.stringify(response);
  const [result] = await sql<{ changed: number; missing: string[] }[]>`
    WITH changed AS (
      UPDATE survey.responses
      SET updated_at = ${stamp}, doc = survey.recategorized_doc(doc, ${stamp}, ${json})
      WHERE shop_id = ${shopId} AND id = ANY (${[...ids]}::text[]) AND survey.response_of(doc) <> ${json}
      RETURNING id
    ), missing AS (
      SELECT unnest(${[...ids]}::text[]) COLLATE "C" AS id
      EXCEPT SELECT id FROM survey.responses WHERE shop_id = ${shopId} AND id = ANY (${[...ids]}::text[])
    )
    SELECT (SELECT count(*)::int FROM changed) AS changed,
           (SELECT coalesce(array_agg(id ORDER BY id), '{}') FROM missing) AS missing`;
  if (!result) throw new Error("an aggregate returned no row");
  return result;
}
