import type { Sql } from "@partner-connect/database";
import { importResponses } from "@partner-connect/survey-data";

/** Gives each of the shops the same few responses: imported into the first one, and copied. Returns the time of all, RFC 3339. */
export async function fillShops(sql: Sql, shopIds: readonly string[], ids: readonly string[]): Promise<string> {
  const [first = "", ...others] = shopIds;
  const lines = ids.map((id) => `${JSON.stringify({ id, question: "Where did you hear of us?", response: "TV" })}\n`);
  await importResponses(sql, { shopId: first, lines }, { name: "operator:test" });
  await sql`
    INSERT INTO survey.responses (shop_id, id, inserted_at, updated_at, doc)
    SELECT other, id, inserted_at, updated_at, doc FROM survey.responses, unnest(${others}::text[]) other WHERE shop_id = ${first}`;
  const [row] = await sql<{ at: Date }[]>`SELECT max(updated_at) AS at FROM survey.responses WHERE shop_id = ${first}`;
  if (!row) throw new Error("nothing was imported");
  return row.at.toISOString();
}
