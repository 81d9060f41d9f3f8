import { deleteInBatches, type Sql } from "@partner-connect/database";

/** A shop's tables in the order of deletion: deleting a response writes to the tables after it. */
const TABLES = [
  { table: "survey.responses", key: ["shop_id", "id"] },
  { table: "survey.deleted_responses", key: ["shop_id", "id"] },
  { table: "survey.questions", key: ["shop_id", "id"] },
  { table: "survey.sources", key: ["shop_id", "id"] },
  { table: "survey.idempotency_keys", key: ["shop_id", "caller_id", "key_hash"] },
  { table: "survey.stamps", key: ["shop_id"] },
];

/**
 * Deletes a shop's survey data, in batches, and returns the number of rows. Can be repeated.
 * @param whose an SQL condition on the row `t`, and its parameter $1
 */
export async function deleteSurveyData(
  sql: Sql,
  whose: { readonly condition: string; readonly value: string },
  report: (deleted: number) => void,
): Promise<number> {
  let rows = 0;
  for (const table of TABLES) {
    const before = rows;
    const onProgress = (deleted: number) => report(before + deleted);
    rows += await deleteInBatches(sql, { ...table, ...whose }, { onProgress });
  }
  return rows;
}
