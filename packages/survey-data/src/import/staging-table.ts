import type { TransactionSql } from "postgres";

/** Makes staged_records, whose ids have the type of the target table's. It is dropped when the transaction ends. */
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

/** Keeps the last of several lines with one id. Returns how many it dropped. */
export async function dropSuperseded(sql: TransactionSql): Promise<number> {
  await sql`SELECT set_config('enable_nestloop', 'off', true)`; // so that each line is read once, however many are repeated
  const dropped = await sql`
    DELETE FROM staged_records AS earlier
    USING (SELECT id, max(line) AS line FROM staged_records GROUP BY id HAVING count(*) > 1) AS last
    WHERE earlier.id = last.id AND earlier.line < last.line`;
  return dropped.count;
}

/**
 * From here on each staged record is looked up by the primary key. So the time depends on the file and not on how much the
 * shop has, whatever the planner estimates for tables without statistics.
 */
export async function joinByIndex(sql: TransactionSql): Promise<void> {
  await sql`
    SELECT set_config('enable_nestloop', 'on', true), set_config('enable_hashjoin', 'off', true),
           set_config('enable_mergejoin', 'off', true), set_config('enable_seqscan', 'off', true),
           set_config('enable_bitmapscan', 'off', true)`;
}

/** How many staged records were left out because the shop has a newer version. Index: the primary key. */
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
