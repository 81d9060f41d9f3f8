import { type Actor, recordAudit } from "@partner-connect/audit";
import type { Sql, Transaction } from "@partner-connect/database";
import { FieldError, requireText } from "./record/record-reader.ts";
import { writeRecords } from "./store-records.ts";
import { lockShop, requireShop, takeStamp, writeShop } from "./take-stamp.ts";

/** Some responses of a shop. */
interface Chosen {
  readonly shopId: string;
  readonly ids: readonly string[];
}

export interface Recategorization extends Chosen {
  readonly response: string;
  /** Called after each step with the number of processed ids. */
  readonly onProgress?: (done: number) => void;
}

/** Rows per transaction. Readers of the newest `updated_at` must skip uncommitted rows: 100,000 would cost 0.25 s. */
export const RECATEGORIZATION_STEP = 1000;

/**
 * Gives responses a new `response` and a new updated_at, in steps; it can be repeated. `original_response` keeps the first value. Returns
 * the number of changes, and the unknown ids. Without an actor no audit record is written. Needs the owner's role or the back office's. @throws
 * {UnknownShopError}, {FieldError}
 */
export async function recategorizeResponses(
  sql: Sql,
  recategorization: Recategorization,
  actor: Actor | null,
): Promise<{ changed: number; missing: string[] }> {
  if (requireText(recategorization.response, "response") === "") throw new FieldError("response", "is empty");
  const { shopId, response, onProgress } = recategorization;
  const ids = [...new Set(recategorization.ids)];
  let changed = 0;
  const missing = new Set(ids);
  for (let done = 0; done < ids.length; done += RECATEGORIZATION_STEP) {
    const step = ids.slice(done, done + RECATEGORIZATION_STEP);
    const part = { shopId, ids: step, response };
    const result = await writeShop(sql, shopId, (inside) => recategorize(inside, part, actor));
    changed += result.changed;
    for (const id of result.found) missing.delete(id);
    onProgress?.(done + step.length);
  }
  return { changed, missing: [...missing].sort() };
}

/** Index: responses_pkey. */
async function recategorize(
  sql: Transaction,
  { shopId, ids, response }: Recategorization,
  actor: Actor | null,
): Promise<{ changed: number; found: string[] }> {
  await lockShop(sql, shopId);
  const stored = await sql<{ id: string; doc: string }[]>`
    SELECT id, doc FROM survey.responses WHERE shop_id = ${shopId} AND id = ANY (${ids}::text[]) ORDER BY id FOR UPDATE`;
  const found = stored.map(({ id }) => id);
  const records = stored.map(({ doc }) => JSON.parse(doc)).filter((record) => record.response !== response);
  if (records.length === 0) return { changed: 0, found };
  const stamp = (await takeStamp(sql, shopId, ["responses"])).toISOString();
  const changed = records.map((record) => {
    const original_response = record.original_response ?? record.response ?? record.other_response;
    const doc = JSON.stringify({ ...record, updated_at: stamp, response, original_response });
    return { id: record.id, insertedAt: record.inserted_at, updatedAt: stamp, doc };
  });
  await writeRecords(sql, "responses", shopId, changed);
  if (actor) {
    await recordAudit(sql, { action: "response_recategorize", shopId, detail: { changed: changed.length } }, actor);
  }
  return { changed: changed.length, found };
}

/**
 * Deletes responses and returns how many; a trigger records the deletions. The stamp locks the shop. Without an actor no audit record is
 * written. Needs the owner's role or the back office's. Index: responses_pkey. @throws {UnknownShopError}
 */
export async function deleteResponses(sql: Sql, { shopId, ids }: Chosen, actor: Actor | null): Promise<number> {
  return await writeShop(sql, shopId, async (inside) => {
    await takeStamp(inside, shopId, []);
    const { count: deleted } = await inside`
      DELETE FROM survey.responses WHERE shop_id = ${shopId} AND id = ANY (${ids}::text[])`;
    if (deleted > 0 && actor) {
      await recordAudit(inside, { action: "response_delete", shopId, detail: { deleted } }, actor);
    }
    return deleted;
  });
}

/** Counts how many of these responses the shop has. Index: responses_pkey. @throws {UnknownShopError} */
export async function countResponses(sql: Sql, { shopId, ids }: Chosen): Promise<number> {
  await requireShop(sql, shopId);
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM survey.responses WHERE shop_id = ${shopId} AND id = ANY (${ids}::text[])`;
  return row?.count ?? 0;
}
