import { type Actor, recordAudit } from "@partner-connect/audit";
import type { Transaction } from "@partner-connect/database";
import { type IncomingRecord, NO_TIMES } from "./record/record-reader.ts";
import { lockShop, takeStamp } from "./take-stamp.ts";

export type SurveyTable = "responses" | "questions";

/** The first four counts add up to the number of records. */
export interface StoreCounts {
  readonly inserted: number;
  readonly updated: number;
  /** Stored before with the same content. */
  readonly unchanged: number;
  /** Skipped, because the stored record has a later updated_at. */
  readonly older: number;
  /** Inserted or updated with the source's updated_at, which readers may have passed. If not 0, warn the operator. */
  readonly backfilled: number;
}

/** A stored record. Times are in the format of records, which sort as text. */
export interface StoredRecord {
  readonly id: string;
  readonly insertedAt: string;
  readonly updatedAt: string;
  readonly doc: string;
}

/** A record to write, and the stored one with its id. */
type Change = readonly [record: IncomingRecord, before: StoredRecord | undefined];

/**
 * Stores records with distinct ids in the caller's transaction, idempotent by id. Locks the shop's writes until commit. If nothing changes,
 * no stamp is taken and no audit record is written; without an actor, none is ever written. Index: primary key.
 */
export async function storeRecords(
  sql: Transaction,
  { table, shopId, records }: { table: SurveyTable; shopId: string; records: readonly IncomingRecord[] },
  actor: Actor | null,
): Promise<StoreCounts> {
  await lockShop(sql, shopId);
  const ids = records.map(({ id }) => id);
  const stored = new Map((await readStored(sql, table, shopId, ids)).map((row) => [row.id, row]));
  const changes: Change[] = [];
  let older = 0;
  for (const record of records) {
    const before = stored.get(record.id);
    if (!before) changes.push([record, undefined]);
    else if (record.updatedAt !== null && record.updatedAt < before.updatedAt) older++;
    else if (toStored(record, before, before.updatedAt).doc !== before.doc) changes.push([record, before]);
  }
  const updated = changes.filter(([, before]) => before).length;
  const counts = {
    inserted: changes.length - updated,
    updated,
    unchanged: records.length - changes.length - older,
    older,
    backfilled: changes.filter(([record]) => record.updatedAt !== null).length,
  };
  if (changes.length === 0) return counts;
  const given = changes.map(([record]) => record.updatedAt ?? record.insertedAt ?? "");
  const stamp = (await takeStamp(sql, shopId, [table], given.toSorted().at(-1) || null)).toISOString();
  await writeRecords(
    sql,
    table,
    shopId,
    changes.map(([record, before]) => toStored(record, before, stamp)),
  );
  if (table === "responses") await noteImportedAgain(sql, shopId, changes);
  if (actor) {
    const action = table === "responses" ? "response_import" : "question_import";
    await recordAudit(sql, { action, shopId, detail: { records: records.length, ...counts } }, actor);
  }
  return counts;
}

/** Completes the record's times: its former insertion time, and `stamp`. */
function toStored(record: IncomingRecord, before: StoredRecord | undefined, stamp: string): StoredRecord {
  const updatedAt = record.updatedAt ?? stamp;
  const insertedAt = record.insertedAt ?? before?.insertedAt ?? updatedAt;
  const doc = record.doc.replace(NO_TIMES, `,"inserted_at":"${insertedAt}","updated_at":"${updatedAt}"`);
  return { id: record.id, insertedAt, updatedAt, doc };
}

async function readStored(
  sql: Transaction,
  table: SurveyTable,
  shopId: string,
  ids: readonly string[],
): Promise<StoredRecord[]> {
  return await sql<StoredRecord[]>`
    SELECT id::text AS id, survey.timestamp_text(inserted_at) AS "insertedAt", survey.timestamp_text(updated_at) AS "updatedAt", doc
    FROM ${sql(`survey.${table}`)}
    WHERE shop_id = ${shopId} AND id = ANY (${ids}::${idType(sql, table)}[])`;
}

/**
 * Inserts each record, or replaces the one with its id. The caller holds the shop's lock. Each column is one text, split by Postgres at
 * line breaks, which no value contains: as escaped arrays they take 1.6 times the CPU.
 */
export async function writeRecords(
  sql: Transaction,
  table: SurveyTable,
  shopId: string,
  records: readonly StoredRecord[],
): Promise<void> {
  const column = (name: keyof StoredRecord) =>
    sql`string_to_array(${records.map((record) => record[name]).join("\n")}, E'\\n')`;
  await sql`
    INSERT INTO ${sql(`survey.${table}`)} (shop_id, id, inserted_at, updated_at, doc)
    SELECT ${shopId}, * FROM unnest(${column("id")}::${idType(sql, table)}[],
      ${column("insertedAt")}::timestamptz[], ${column("updatedAt")}::timestamptz[], ${column("doc")})
    ON CONFLICT (shop_id, id) DO UPDATE SET
      inserted_at = excluded.inserted_at, updated_at = excluded.updated_at, doc = excluded.doc`;
}

const idType = (sql: Transaction, table: SurveyTable) => (table === "questions" ? sql`bigint` : sql`text`);

/** Removes reimported responses from the list of deletions. Index: deleted_responses_pkey. */
async function noteImportedAgain(sql: Transaction, shopId: string, changes: readonly Change[]): Promise<void> {
  const ids = changes.filter(([, before]) => !before).map(([record]) => record.id);
  await sql`
    UPDATE survey.deleted_responses SET imported_again = true
    WHERE shop_id = ${shopId} AND id = ANY (${ids}::text[]) AND NOT imported_again`;
}
