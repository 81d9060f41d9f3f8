import type { Transaction } from "@partner-connect/database";

/** Makes staged_records, whose ids have the type of the target table's. It is dropped when the transaction ends. */
export async function createStagingTable(sql: Transaction, table: "responses" | "questions"): Promise<void> {
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
export async function dropSuperseded(sql: Transaction): Promise<number> {
  await sql`SELECT set_config('enable_nestloop', 'off', true)`; // so that each line is read once, however many are repeated
  const dropped = await sql`
    DELETE FROM staged_records AS earlier
    USING (SELECT id, max(line) AS line FROM staged_records GROUP BY id HAVING count(*) > 1) AS last
    WHERE earlier.id = last.id AND earlier.line < last.line`;
  return dropped.count;
}

/** The staged records, in a FROM. OFFSET 0 lets Citus send them to the shop's node, and do the rest of the statement there. */
export const staged = (sql: Transaction) => sql`(SELECT * FROM staged_records OFFSET 0) AS staged`;

/**
 * The first record whose id is not before the staged one's: only the primary key has that order. Asked for `id = staged.id`, the
 * planner may read a whole shop that its statistics don't know, for each record.
 */
export const storedFrom = (sql: Transaction, table: string, shopId: string) => sql`(
  SELECT * FROM ${sql(table)} WHERE shop_id = ${shopId} AND id >= staged.id ORDER BY id LIMIT 1)`;

/**
 * From here on records are looked up by the primary key, whatever the planner estimates, on Citus's nodes too: the time depends on
 * the file, of any size, and not on the shop. Without Citus nothing reads citus.*.
 */
export async function joinByIndex(sql: Transaction): Promise<void> {
  await sql.unsafe(`
    SET LOCAL citus.propagate_set_commands = 'local';
    SET LOCAL citus.max_intermediate_result_size = -1;
    SET LOCAL enable_nestloop = on;
    SET LOCAL enable_hashjoin = off;
    SET LOCAL enable_mergejoin = off;
    SET LOCAL enable_seqscan = off;
    SET LOCAL enable_bitmapscan = off;
    SET LOCAL enable_sort = off`);
}

/** How many staged records were left out because the shop has a newer version. Index: the primary key. */
export async function countOlder(sql: Transaction, table: "responses" | "questions", shopId: string): Promise<number> {
  const [row] = await sql<{ older: number }[]>`
    SELECT count(*)::int AS older
    FROM ${staged(sql)} CROSS JOIN LATERAL ${storedFrom(sql, `survey.${table}`, shopId)} AS stored
    WHERE stored.id = staged.id AND staged.updated_at < stored.updated_at`;
  return row?.older ?? 0;
}
