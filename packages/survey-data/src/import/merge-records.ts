import type { TransactionSql } from "postgres";

export interface Merged {
  readonly inserted: number;
  readonly updated: number;
  /** Inserted or updated with an updated_at that the source gave. */
  readonly backfilled: number;
}

/**
 * Merges the staged records into the shop's, in one statement. A stored record stays as it is where the staged one has the
 * same content and times, or is older. Records without times get `stamp`.
 * Index: the table's primary key.
 */
export async function mergeRecords(
  sql: TransactionSql,
  table: "responses" | "questions",
  shopId: string,
  stamp: Date,
): Promise<Merged> {
  const [counts] = await sql<Merged[]>`
    WITH merged AS (
      MERGE INTO ${sql(`survey.${table}`)} AS stored
      USING staged_records AS staged ON stored.shop_id = ${shopId} AND stored.id = staged.id
      WHEN MATCHED AND staged.updated_at < stored.updated_at THEN DO NOTHING
      WHEN MATCHED AND stored.doc = survey.record_doc(staged.head, coalesce(staged.inserted_at, stored.inserted_at),
          coalesce(staged.updated_at, stored.updated_at), staged.tail) THEN DO NOTHING
      WHEN MATCHED THEN UPDATE SET
        inserted_at = coalesce(staged.inserted_at, stored.inserted_at),
        updated_at = coalesce(staged.updated_at, ${stamp}),
        doc = survey.record_doc(staged.head, coalesce(staged.inserted_at, stored.inserted_at),
          coalesce(staged.updated_at, ${stamp}), staged.tail)
      WHEN NOT MATCHED THEN INSERT (shop_id, id, inserted_at, updated_at, doc) VALUES (
        ${shopId}, staged.id,
        coalesce(staged.inserted_at, staged.updated_at, ${stamp}),
        coalesce(staged.updated_at, ${stamp}),
        survey.record_doc(staged.head, coalesce(staged.inserted_at, staged.updated_at, ${stamp}),
          coalesce(staged.updated_at, ${stamp}), staged.tail))
      RETURNING merge_action() AS action, staged.updated_at IS NOT NULL AS backfilled
    )
    SELECT count(*) FILTER (WHERE action = 'INSERT')::int AS inserted,
           count(*) FILTER (WHERE action = 'UPDATE')::int AS updated,
           count(*) FILTER (WHERE backfilled)::int AS backfilled
    FROM merged`;
  if (!counts) throw new Error("an aggregate returned no row");
  return counts;
}
