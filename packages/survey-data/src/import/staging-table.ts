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

/**
 * The staged records in a FROM, as `staged`. OFFSET 0 keeps them apart from what they are joined with: Citus then sends them to the shop's
 * node, and does the rest of the statement there.
 */
export const staged = (sql: Transaction) => sql`(SELECT * FROM staged_records OFFSET 0) AS staged`;

/**
 * The shop's first record whose id is not before the staged one's: the staged one itself, or there is none. Only the primary key has that
 * order. (Asked for `id = staged.id`, the planner may take another index for a shop that its statistics don't know, and read the whole shop
 * for each record.)
 */
export const storedFrom = (sql: Transaction, table: string, shopId: string) => sql`(
  SELECT * FROM ${sql(table)} WHERE shop_id = ${shopId} AND id >= staged.id ORDER BY id LIMIT 1)`;

/**
 * From here on each staged record is looked up by the primary key. So the time depends on the file and not on how much the
 * shop has, whatever the planner estimates for tables without statistics. On Citus the shop's node is told, too, and a file may have any size.
 * (To a Postgres without Citus, citus.* are settings that nothing reads.)
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
