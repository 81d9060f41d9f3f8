import type { Actor } from "@partner-connect/audit";
import type { Sql } from "@partner-connect/database";
import type { ErasableRedis } from "./erase-redis.ts";

/** Erases all that is known of a shop, in steps: the same call goes on where one ended. Reports how many rows are gone. Needs the owner's role. */
export async function eraseWholeShop(
  sql: Sql,
  id: string,
  actor: Actor,
  redis: ErasableRedis,
  report: (done: number) => void = () => {},
) {
  const { eraseShop, listApiKeys, revokeApiKey } = await import("@partner-connect/directory");
  const { eraseUsage, forgetAll, revokeAll } = await import("@partner-connect/connections");
  const { eraseSurvey } = await import("@partner-connect/survey-data");
  await revokeAll(sql, { shopId: id }, actor);
  const keys = (await listApiKeys(sql, { shopId: id })).filter(({ revokedAt }) => !revokedAt);
  for (const each of keys) await revokeApiKey(sql, each.id, actor);
  const rows = await eraseSurvey(sql, id, report);
  const forgotten = await forgetAll(sql, { shopId: id }, actor, redis.forgetTokens);
  await eraseUsage(sql, id);
  report(rows + forgotten);
  const counts = { rows, connections: forgotten };
  const records = await eraseShop(sql, id, counts, actor);
  return { ...counts, audit_records: records };
}
