import { type Actor, recordAudit } from "@partner-connect/audit";
import type { Transaction } from "@partner-connect/database";
import { type IncomingRecord, NO_TIMES } from "./record/record-reader.ts";
import { takeStamp } from "./shop-transaction.ts";

export type SurveyTable = "responses" | "questions";

/** The first four counts add up to the number of records. */
export interface StoreCounts {
  readonly inserted: number;
  readonly updated: number;
  /** Records that are already stored with the same content. */
  readonly unchanged: number;
  /**
   * Skipped, because the stored record has a later updated_at or a higher version, or was deleted
   * with this version or a higher one.
   */
  readonly older: number;
  /**
   * Inserted or updated with the source's updated_at, which readers may have passed. If not 0, warn
   * the operator.
   */
  readonly backfilled: number;
}

/** A stored record. Times have the format of records, in which they sort as text. */
export interface StoredRecord {
  readonly id: string;
  readonly insertedAt: string;
  readonly updatedAt: string;
  readonly version: number | null;
  readonly doc: string;
}

/** A record to write, and the stored record with its id. */
type Change = readonly [record: IncomingRecord, before: StoredRecord | undefined];

/**
 * Stores records with distinct ids in the caller's transaction, which holds the shop's lock;
 * idempotent by id. If nothing changes, no stamp is taken and no audit record is written; without
 * an actor, none is ever written. Index: primary key.
 */
export async function storeRecords(
  sql: Transaction,
  step: { table: SurveyTable; shopId: string; records: readonly IncomingRecord[] },
  actor: Actor | null,
): Promise<StoreCounts> {
  const { table, shopId, records } = step;
  const ids = records.map(({ id }) => id);
  const stored = new Map((await readStored(sql, table, shopId, ids)).map((row) => [row.id, row]));
  const deleted = table === "responses" ? await readDeleted(sql, shopId, ids) : new Map();
  const changes: Change[] = [];
  /** Stored records of which only the version changes. */
  const onlyVersion: StoredRecord[] = [];
  let older = 0;
  for (const given of records) {
    const before = stored.get(given.id);
    const known = before ? before.version : (deleted.get(given.id) ?? null);
    const record = { ...given, version: given.version ?? known };
    if (isOlder(given, before, known)) older++;
    else if (!before) changes.push([record, undefined]);
    else if (toStored(record, before, before.updatedAt).doc !== before.doc)
      changes.push([record, before]);
    else if (record.version !== before.version)
      onlyVersion.push({ ...before, version: record.version });
  }
  const updated = changes.filter(([, before]) => before).length;
  const counts = {
    inserted: changes.length - updated,
    updated,
    unchanged: records.length - changes.length - older,
    older,
    backfilled: changes.filter(([record]) => record.updatedAt !== null).length,
  };
  if (onlyVersion.length > 0) await writeRecords(sql, table, shopId, onlyVersion);
  if (changes.length === 0) return counts;
  const times = changes.map(([record]) => record.updatedAt ?? record.insertedAt ?? "");
  const taken = await takeStamp(sql, shopId, [table], times.toSorted().at(-1) || null);
  const stamp = taken.toISOString();
  const made = changes.map(([record, before]) => toStored(record, before, stamp));
  await writeRecords(sql, table, shopId, made);
  if (table === "responses") await hideDeletions(sql, shopId, changes);
  if (actor) {
    const action = table === "responses" ? "response_import" : "question_import";
    const detail = { records: records.length, ...counts };
    await recordAudit(sql, { action, shopId, detail }, actor);
  }
  return counts;
}

/** True if the record must be skipped. @param known the version that is stored, or was deleted */
function isOlder(
  { updatedAt, version }: IncomingRecord,
  before: StoredRecord | undefined,
  known: number | null,
): boolean {
  if (before && updatedAt !== null && updatedAt < before.updatedAt) return true;
  return version !== null && known !== null && (before ? version < known : version <= known);
}

/** Sets missing times: `updatedAt` is `stamp`, `insertedAt` the stored one or else `updatedAt`. */
function toStored(
  record: IncomingRecord,
  before: StoredRecord | undefined,
  stamp: string,
): StoredRecord {
  const updatedAt = record.updatedAt ?? stamp;
  const insertedAt = record.insertedAt ?? before?.insertedAt ?? updatedAt;
  const doc = record.doc.replace(
    NO_TIMES,
    `,"inserted_at":"${insertedAt}","updated_at":"${updatedAt}"`,
  );
  return { id: record.id, insertedAt, updatedAt, version: record.version, doc };
}

async function readStored(
  sql: Transaction,
  table: SurveyTable,
  shopId: string,
  ids: readonly string[],
): Promise<StoredRecord[]> {
  return await sql<StoredRecord[]>`
    SELECT id::text AS id, survey.timestamp_text(inserted_at) AS "insertedAt",
      survey.timestamp_text(updated_at) AS "updatedAt", doc,
      ${table === "responses" ? sql`version::float8` : sql`NULL`} AS version
    FROM ${sql(`survey.${table}`)}
    WHERE shop_id = ${shopId} AND id = ANY (${ids}::${idType(sql, table)}[])`;
}

/** The versions with which responses were deleted, by id. Index: deleted_responses_pkey. */
async function readDeleted(sql: Transaction, shopId: string, ids: readonly string[]) {
  const rows = await sql<{ id: string; version: number }[]>`
    SELECT id, version::float8 FROM survey.deleted_responses
    WHERE shop_id = ${shopId} AND id = ANY (${ids}::text[]) AND version IS NOT NULL`;
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/**
 * Inserts each record, or replaces the one with its id. The caller holds the shop's lock. Each
 * column is sent as one text, which Postgres splits at line breaks; no value contains any. Escaped
 * arrays would take 1.6 times the CPU.
 */
export async function writeRecords(
  sql: Transaction,
  table: SurveyTable,
  shopId: string,
  records: readonly StoredRecord[],
): Promise<void> {
  const column = (name: keyof StoredRecord) =>
    sql`string_to_array(${records.map((record) => record[name] ?? "").join("\n")}, E'\\n', '')`;
  const [name, values, set] =
    table === "responses"
      ? [sql`, version`, sql`, ${column("version")}::bigint[]`, sql`, version = excluded.version`]
      : [sql``, sql``, sql``];
  await sql`
    INSERT INTO ${sql(`survey.${table}`)} (shop_id, id, inserted_at, updated_at, doc${name})
    SELECT ${shopId}, * FROM unnest(${column("id")}::${idType(sql, table)}[],
      ${column("insertedAt")}::timestamptz[], ${column("updatedAt")}::timestamptz[], ${column("doc")}${values})
    ON CONFLICT (shop_id, id) DO UPDATE SET
      inserted_at = excluded.inserted_at, updated_at = excluded.updated_at, doc = excluded.doc${set}`;
}

const idType = (sql: Transaction, table: SurveyTable) =>
  table === "questions" ? sql`bigint` : sql`text`;

/** Hides the deletions of responses that were imported again. Index: deleted_responses_pkey. */
async function hideDeletions(sql: Transaction, shopId: string, changes: readonly Change[]) {
  const ids = changes.filter(([, before]) => !before).map(([record]) => record.id);
  await sql`
    UPDATE survey.deleted_responses SET is_hidden = true
    WHERE shop_id = ${shopId} AND id = ANY (${ids}::text[]) AND NOT is_hidden`;
}
