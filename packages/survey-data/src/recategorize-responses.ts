import { type Actor, recordAudit } from "@partner-connect/audit";
import type { Sql, Transaction } from "@partner-connect/database";
import { FieldError, requireText } from "./record/field.ts";
import { takeStamp, writeShop } from "./take-stamp.ts";

export interface Recategorization {
  readonly shopId: string;
  readonly ids: readonly string[];
  readonly response: string;
  /** Called after each step, with how many of the ids are done. */
  readonly onProgress?: (done: number) => void;
}

/** How many change in one transaction. Who reads the newest `updated_at` has to skip its rows: 0.25 s for a hundred thousand. */
export const RECATEGORIZATION_STEP = 1000;

/**
 * Gives responses a new `response` and an updated_at that no reader has passed, in steps; it can be repeated. `original_response`
 * keeps the first. Returns how many changed, and the unknown ids. Without an actor no record is written. Needs the owner's role.
 * @throws {UnknownShopError}, {FieldError}
 */
export async function recategorizeResponses(
  sql: Sql,
  recategorization: Recategorization,
  actor: Actor | null,
): Promise<{ changed: number; missing: string[] }> {
  if (requireText(recategorization.response, "response") === "") throw new FieldError("response", "is empty");
  const { shopId, response, onProgress } = recategorization;
  const ids = [...new Set(recategorization.ids)];
  const total = { changed: 0, missing: [] as string[] };
  for (let done = 0; done < ids.length; done += RECATEGORIZATION_STEP) {
    const step = ids.slice(done, done + RECATEGORIZATION_STEP);
    const { changed, missing } = await writeShop(sql, shopId, async (inside) => {
      const stamp = await takeStamp(inside, shopId, ["responses"]);
      const result = await recategorize(inside, { shopId, ids: step, response }, stamp);
      if (result.changed > 0 && actor) {
        const detail = { changed: result.changed };
        await recordAudit(inside, { action: "response_recategorize", shopId, detail }, actor);
      }
      return result;
    });
    total.changed += changed;
    total.missing.push(...missing);
    onProgress?.(done + step.length);
  }
  return { ...total, missing: total.missing.sort() };
}

/** Without joins the time grows with the length of the list, whatever the planner estimates. Index: responses_pkey. */
async function recategorize(
  sql: Transaction,
  { shopId, ids, response }: Recategorization,
  stamp: Date,
): Promise<{ changed: number; missing: string[] }> {
  const json = JSON.stringify(response);
  const { count: changed } = await sql`
    UPDATE survey.responses
    SET updated_at = ${stamp}, doc = survey.recategorized_doc(doc, ${stamp}, ${json})
    WHERE shop_id = ${shopId} AND id = ANY (${[...ids]}::text[]) AND survey.response_of(doc) <> ${json}`;
  const missing = new Set(ids);
  if (changed < ids.length) {
    const found = await sql<{ id: string }[]>`
      SELECT id FROM survey.responses WHERE shop_id = ${shopId} AND id = ANY (${[...ids]}::text[])`;
    for (const { id } of found) missing.delete(id);
  } else missing.clear();
  return { changed, missing: [...missing] };
}
