import assert from "node:assert/strict";
import type { Transaction } from "@partner-connect/database";
import { staged, storedFrom } from "./staging-table.ts";

interface Written {
  readonly written: number;
  readonly backfilled: number;
}

/**
 * Inserts the new ones of `records` staged records, and changes others unless they are the same or older. Those without times get
 * `stamp`. Two statements, as Citus's MERGE returns nothing; neither leaves the planner a choice, as it may not know
 * the shop yet. Index: primary key.
 */
export async function mergeRecords(
  sql: Transaction,
  table: "responses" | "questions",
  shopId: string,
  stamp: Date,
  records: number,
) {
  const inserted = await insertNew(sql, table, shopId, stamp);
  const updated =
    inserted.written < records ? await changeStored(sql, table, shopId, stamp) : { written: 0, backfilled: 0 };
  return {
    inserted: inserted.written,
    updated: updated.written,
    backfilled: updated.backfilled + inserted.backfilled,
  };
}

async function insertNew(sql: Transaction, table: string, shopId: string, stamp: Date): Promise<Written> {
  const [counts] = await sql<Written[]>`
    WITH written AS (
      INSERT INTO ${sql(`survey.${table}`)} (shop_id, id, inserted_at, updated_at, doc)
      SELECT ${shopId}, staged.id,
        coalesce(staged.inserted_at, staged.updated_at, ${stamp}),
        coalesce(staged.updated_at, ${stamp}),
        survey.record_doc(staged.head, coalesce(staged.inserted_at, staged.updated_at, ${stamp}),
          coalesce(staged.updated_at, ${stamp}), staged.tail)
      FROM ${staged(sql)} LEFT JOIN LATERAL ${storedFrom(sql, `survey.${table}`, shopId)} AS stored ON true
      WHERE stored.id IS DISTINCT FROM staged.id
      RETURNING updated_at)
    SELECT ${counted(sql, stamp)} FROM written`;
  return present(counts);
}

async function changeStored(sql: Transaction, table: string, shopId: string, stamp: Date): Promise<Written> {
  const [counts] = await sql<Written[]>`
    WITH written AS (
      INSERT INTO ${sql(`survey.${table}`)} (shop_id, id, inserted_at, updated_at, doc)
      SELECT ${shopId}, staged.id,
        coalesce(staged.inserted_at, stored.inserted_at),
        coalesce(staged.updated_at, ${stamp}),
        survey.record_doc(staged.head, coalesce(staged.inserted_at, stored.inserted_at),
          coalesce(staged.updated_at, ${stamp}), staged.tail)
      FROM ${staged(sql)} CROSS JOIN LATERAL ${storedFrom(sql, `survey.${table}`, shopId)} AS stored
      WHERE stored.id = staged.id AND (staged.updated_at IS NULL OR staged.updated_at >= stored.updated_at)
        AND stored.doc <> survey.record_doc(staged.head, coalesce(staged.inserted_at, stored.inserted_at),
          coalesce(staged.updated_at, stored.updated_at), staged.tail)
      ON CONFLICT (shop_id, id) DO UPDATE SET
        inserted_at = excluded.inserted_at, updated_at = excluded.updated_at, doc = excluded.doc
      RETURNING updated_at)
    SELECT ${counted(sql, stamp)} FROM written`;
  return present(counts);
}

/** Of the rows written: all, and those with a time of the source. */
const counted = (sql: Transaction, stamp: Date) =>
  sql`count(*)::int AS written, count(*) FILTER (WHERE updated_at <> ${stamp})::int AS backfilled`;

function present(counts: Written | undefined): Written {
  assert(counts, "an aggregate returned no row");
  return counts;
}

/** Takes stored responses off the list of deletions, one by one. Index: deleted_responses_pkey, deleted_responses_by_time. */
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
