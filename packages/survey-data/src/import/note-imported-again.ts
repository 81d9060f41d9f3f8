import type { TransactionSql } from "postgres";
import { staged } from "./staging-table.ts";

/**
 * The staged responses are stored: those that were deleted leave the list of deletions. The LIMIT makes the planner search each
 * one by itself, whatever it estimates. A shop that has no deletions is not searched.
 * Index: deleted_responses_pkey; deleted_responses_by_time.
 */
export async function noteImportedAgain(sql: TransactionSql, shopId: string): Promise<void> {
  const deletions =
    await sql`SELECT FROM survey.deleted_responses WHERE shop_id = ${shopId} AND NOT imported_again LIMIT 1`;
  if (deletions.length === 0) return;
  await sql`
    WITH back AS MATERIALIZED (
      SELECT found.id
      FROM ${staged(sql)} CROSS JOIN LATERAL (
        SELECT d.id FROM survey.deleted_responses d
        WHERE d.shop_id = ${shopId} AND d.id = staged.id AND NOT d.imported_again LIMIT 1) AS found)
    UPDATE survey.deleted_responses SET imported_again = true
    WHERE shop_id = ${shopId} AND id = ANY (ARRAY(SELECT id FROM back))`;
}
