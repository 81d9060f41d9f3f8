import type { Transaction } from "@partner-connect/database";
import { staged, storedFrom } from "./staging-table.ts";

/**
 * The staged responses are stored: those that were deleted leave the list of deletions. Each one is searched by itself. A shop that has no
 * deletions is not searched. Index: deleted_responses_pkey; deleted_responses_by_time.
 */
export async function noteImportedAgain(sql: Transaction, shopId: string): Promise<void> {
  const deletions =
    await sql`SELECT FROM survey.deleted_responses WHERE shop_id = ${shopId} AND NOT imported_again LIMIT 1`;
  if (deletions.length === 0) return;
  await sql`
    WITH back AS MATERIALIZED (
      SELECT deleted.id
      FROM ${staged(sql)} CROSS JOIN LATERAL ${storedFrom(sql, "survey.deleted_responses", shopId)} AS deleted
      WHERE deleted.id = staged.id AND NOT deleted.imported_again)
    UPDATE survey.deleted_responses SET imported_again = true
    WHERE shop_id = ${shopId} AND id = ANY (ARRAY(SELECT id FROM back))`;
}
