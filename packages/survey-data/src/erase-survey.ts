import { deleteOfShop, type Sql } from "@partner-connect/database";

/** All that a shop has, in the order in which it goes: deleted responses leave a row in `deleted_responses`, and take a stamp. */
const TABLES = [
  { table: "survey.responses", key: ["id"] },
  { table: "survey.deleted_responses", key: ["id"] },
  { table: "survey.questions", key: ["id"] },
  { table: "survey.sources", key: ["id"] },
  { table: "survey.idempotency_keys", key: ["caller_id", "key_hash"] },
  { table: "survey.stamps", key: ["shop_id"] },
] as const;

/** How many responses, questions and sources a shop has. Indexes: responses_pkey, questions_pkey, sources_pkey. */
export async function countSurvey(sql: Sql, shopId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    SELECT (SELECT count(*) FROM survey.responses WHERE shop_id = ${shopId})::int
      + (SELECT count(*) FROM survey.questions WHERE shop_id = ${shopId})::int
      + (SELECT count(*) FROM survey.sources WHERE shop_id = ${shopId})::int AS count`;
  return row?.count ?? 0;
}

/** Deletes it, in batches that commit by themselves, and returns the number of rows. Partners read no deletion: none is connected then. */
export async function eraseSurvey(sql: Sql, shopId: string, onProgress: (deleted: number) => void): Promise<number> {
  let deleted = 0;
  for (const each of TABLES) {
    const before = deleted;
    deleted += await deleteOfShop(sql, each, shopId, (count) => onProgress(before + count));
  }
  return deleted;
}
