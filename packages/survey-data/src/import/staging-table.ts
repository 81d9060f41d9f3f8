import type { TransactionSql } from "postgres";

/** Makes staged_records, with the ids' type of the table that they are going to. It goes with the transaction. */
export async function createStagingTable(sql: TransactionSql, table: "responses" | "questions"): Promise<void> {
  await sql`
    CREATE TEMPORARY TABLE staged_records (
      line bigint NOT NULL,
      id ${table === "questions" ? sql`bigint` : sql`text COLLATE "C"`} NOT NULL,
      inserted_at timestamptz(3),
      updated_at timestamptz(3),
      head text NOT NULL,
      tail text NOT NULL
    ) ON COMMIT DROP`;
}

/** Of several lines with one id the last counts. Returns how many were dropped. */
export async function dropSuperseded(sql: TransactionSql): Promise<number> {
  await sql`SELECT set_config('enable_nestloop', 'off', true)`; // each line is looked at once, however many are repeated
  const dropped = await sql`
    DELETE FROM staged_records AS earlier
    USING (SELECT id, max(line) AS line FROM staged_records GROUP BY id HAVING count(*) > 1) AS last
    WHERE earlier.id = last.id AND earlier.line < last.line`;
  return dropped.count;
}

/**
 * From here on staged records find stored ones through the primary key, each for itself: the time depends on the file
 * and not on how much the shop has, whatever the planner thinks of tables that have no statistics yet.
 */
export async function joinByIndex(sql: TransactionSql): Promise<void> {
  await sql`
    SELECT set_config('enable_nestloop', 'on', true), set_config('enable_hashjoin', 'off', true),
           set_config('enable_mergejoin', 'off', true), set_config('enable_seqscan', 'off', true),
           set_config('enable_bitmapscan', 'off', true)`;
}

/** How many staged records are older than what the shop has, and were left out for it. Index: the primary key. */
export async function countOlder(
  sql: TransactionSql,
  table: "responses" | "questions",
  shopId: string,
): Promise<number> {
  const [row] = await sql<{ older: number }[]>`
    SELECT count(*)::int AS older
    FROM staged_records AS staged
    JOIN ${sql(`survey.${table}`)} AS stored ON stored.shop_id = ${shopId} AND stored.id = staged.id
    WHERE staged.updated_at < stored.updated_at`;
  return row?.older ?? 0;
}
