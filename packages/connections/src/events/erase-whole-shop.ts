import type { Actor } from "@partner-connect/audit";
import { deleteInBatches, type Sql } from "@partner-connect/database";
import { eraseShop, listApiKeys, revokeApiKey } from "@partner-connect/directory";
import { forgetAll } from "./forget.ts";
import { revokeAll } from "./revoke-all.ts";

/** A shop's survey, in the order in which it goes: deleting a response inserts a row into `deleted_responses`, and takes a stamp. */
const SURVEY_TABLES = [
  { table: "survey.responses", key: ["shop_id", "id"] },
  { table: "survey.deleted_responses", key: ["shop_id", "id"] },
  { table: "survey.questions", key: ["shop_id", "id"] },
  { table: "survey.sources", key: ["shop_id", "id"] },
  { table: "survey.idempotency_keys", key: ["shop_id", "caller_id", "key_hash"] },
  { table: "survey.stamps", key: ["shop_id"] },
];
const USAGE = { table: "oauth.api_usage", key: ["shop_id", "caller_id", "hour"] };

/**
 * Erases everything stored of a shop, in batches: after a failure the same call continues. Needs the owner's role or the back office's.
 * @param forgetTokens as `forgetAll` has it
 * @param report gets the number of rows deleted so far
 */
export async function eraseWholeShop(
  sql: Sql,
  id: string,
  actor: Actor,
  forgetTokens: Parameters<typeof forgetAll>[3],
  report: (done: number) => void = () => {},
) {
  await revokeAll(sql, { shopId: id }, actor);
  const keys = (await listApiKeys(sql, { shopId: id })).filter(({ revokedAt }) => !revokedAt);
  for (const each of keys) await revokeApiKey(sql, each.id, actor);
  const ofShop = { condition: "t.shop_id = $1", value: id };
  let rows = 0;
  for (const table of SURVEY_TABLES) {
    const before = rows;
    rows += await deleteInBatches(sql, { ...table, ...ofShop }, { onProgress: (deleted) => report(before + deleted) });
  }
  const connections = await forgetAll(sql, { shopId: id }, actor, forgetTokens);
  await deleteInBatches(sql, { ...USAGE, ...ofShop });
  report(rows + connections);
  const counts = { rows, connections };
  const records = await eraseShop(sql, id, counts, actor);
  return { ...counts, audit_records: records };
}
