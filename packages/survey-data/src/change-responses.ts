import { type Actor, recordAudit } from "@partner-connect/audit";
import type { Sql, Transaction } from "@partner-connect/database";
import { FieldError, requireText } from "./record/record-reader.ts";
import { inShopTransaction, refuseUnknownShop, takeStamp } from "./shop-transaction.ts";
import { writeRecords } from "./store-records.ts";

interface Chosen {
  readonly shopId: string;
  readonly ids: readonly string[];
}

export interface Recategorization extends Chosen {
  readonly response: string;
  /** Called after each step with the number of processed ids. */
  readonly onProgress?: (done: number) => void;
}

/**
 * Rows per transaction. Readers of the newest `updated_at` must skip uncommitted rows; a hundred
 * thousand of them would take 0.25 s.
 */
export const RECATEGORIZATION_STEP = 1000;

/**
 * Gives responses a new `response` and `updated_at`, in steps that commit. Can be repeated.
 * `original_response` keeps the first value. Returns the number of changes, and the unknown ids.
 * Without an actor no audit record is written. Needs the owner's role or the back office's.
 * @throws {UnknownShopError}, {FieldError}
 */
export async function recategorizeResponses(
  sql: Sql,
  recategorization: Recategorization,
  actor: Actor | null,
): Promise<{ changed: number; missing: string[] }> {
  if (requireText(recategorization.response, "response") === "")
    throw new FieldError("response", "is empty");
  const { shopId, response, onProgress } = recategorization;
  const ids = [...new Set(recategorization.ids)];
  let changed = 0;
  const missing = new Set(ids);
  for (let done = 0; done < ids.length; done += RECATEGORIZATION_STEP) {
    const step = ids.slice(done, done + RECATEGORIZATION_STEP);
    const part = { shopId, ids: step, response };
    const result = await inShopTransaction(sql, shopId, (inside) =>
      recategorizeStep(inside, part, actor),
    );
    changed += result.changed;
    for (const id of result.found) missing.delete(id);
    onProgress?.(done + step.length);
  }
  return { changed, missing: [...missing].sort() };
}

/** Recategorizes the responses in one transaction, with a record. Index: responses_pkey. */
async function recategorizeStep(
  sql: Transaction,
  { shopId, ids, response }: Recategorization,
  actor: Actor | null,
): Promise<{ changed: number; found: string[] }> {
  const stored = await sql<{ id: string; version: number | null; doc: string }[]>`
    SELECT id, version::float8, doc FROM survey.responses WHERE shop_id = ${shopId} AND id = ANY (${ids}::text[])
    ORDER BY id FOR UPDATE`;
  const found = stored.map(({ id }) => id);
  const changes = stored
    .map(({ version, doc }) => ({ version, record: JSON.parse(doc) }))
    .filter(({ record }) => record.response !== response);
  if (changes.length === 0) return { changed: 0, found };
  const stamp = (await takeStamp(sql, shopId, ["responses"])).toISOString();
  const changed = changes.map(({ version, record }) => {
    const original_response = record.original_response ?? record.response ?? record.other_response;
    const doc = JSON.stringify({ ...record, updated_at: stamp, response, original_response });
    return { id: record.id, insertedAt: record.inserted_at, updatedAt: stamp, version, doc };
  });
  await writeRecords(sql, "responses", shopId, changed);
  if (actor) {
    const detail = { changed: changed.length };
    await recordAudit(sql, { action: "response_recategorize", shopId, detail }, actor);
  }
  return { changed: changed.length, found };
}

/** Responses to delete. With the version null, a response is deleted whatever its version is. */
export interface Deletions {
  readonly shopId: string;
  readonly records: readonly { readonly id: string; readonly version: number | null }[];
}

/**
 * Deletes responses and returns how many, and how many have a higher version; a trigger records the
 * deletions. Without an actor no audit record is written. Needs the owner's role or the back
 * office's. @throws {UnknownShopError}
 */
export async function deleteResponses(
  sql: Sql,
  { shopId, ids, version }: Chosen & { readonly version?: number | undefined },
  actor: Actor | null,
): Promise<{ readonly deleted: number; readonly older: number }> {
  const records = ids.map((id) => ({ id, version: version ?? null }));
  return await inShopTransaction(sql, shopId, (inside) =>
    deleteStoredResponses(inside, { shopId, records }, actor),
  );
}

/**
 * Deletes the responses whose stored version is not higher than the given one, in a transaction that
 * holds the shop's lock. Stores the higher version, even if there was no response, so that a late
 * record is not stored again. Indexes: responses_pkey, deleted_responses_pkey.
 */
export async function deleteStoredResponses(
  sql: Transaction,
  { shopId, records }: Deletions,
  actor: Actor | null,
): Promise<{ readonly deleted: number; readonly older: number }> {
  const ids = records.map(({ id }) => id);
  const versions = records.map(({ version }) => version);
  const given = sql`unnest(${ids}::text[], ${versions}::bigint[]) AS given (id, version)`;
  const stamp = await takeStamp(sql, shopId, []);
  const { count: deleted } = await sql`
    DELETE FROM survey.responses AS stored USING ${given}
    WHERE stored.shop_id = ${shopId} AND stored.id = given.id AND coalesce(stored.version <= given.version, true)`;
  const versioned = versions.filter((version) => version !== null).length;
  let older = 0;
  if (versioned > 0) {
    const { count } = await sql`
      INSERT INTO survey.deleted_responses AS kept (shop_id, id, inserted_at, updated_at, deleted_at, version, is_hidden)
      SELECT ${shopId}, given.id, ${stamp}, ${stamp}, ${stamp}, given.version, true FROM ${given}
      WHERE given.version IS NOT NULL AND NOT EXISTS (
        SELECT FROM survey.responses AS stored WHERE stored.shop_id = ${shopId} AND stored.id = given.id)
      ON CONFLICT (shop_id, id) DO UPDATE SET version = greatest(kept.version, excluded.version)`;
    older = versioned - count; // those that are still stored
  }
  if (deleted > 0 && actor) {
    await recordAudit(sql, { action: "response_delete", shopId, detail: { deleted } }, actor);
  }
  return { deleted, older };
}

/**
 * Deletes a question; responses to it stay. False if there is none. Index: questions_pkey.
 * @throws {UnknownShopError}
 */
export async function deleteQuestion(sql: Sql, shopId: string, id: number, actor: Actor) {
  return await inShopTransaction(sql, shopId, async (inside) => {
    const { count } =
      await inside`DELETE FROM survey.questions WHERE shop_id = ${shopId} AND id = ${id}::bigint`;
    if (count === 0) return false;
    await takeStamp(inside, shopId, ["questions"]);
    const detail = { question_id: id };
    await recordAudit(inside, { action: "question_delete", shopId, detail }, actor);
    return true;
  });
}

/**
 * Counts how many of these responses the shop has. Index: responses_pkey.
 * @throws {UnknownShopError}
 */
export async function countResponses(sql: Sql, { shopId, ids }: Chosen): Promise<number> {
  await refuseUnknownShop(sql, shopId);
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM survey.responses WHERE shop_id = ${shopId} AND id = ANY (${ids}::text[])`;
  return row?.count ?? 0;
}
