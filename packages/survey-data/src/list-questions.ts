import type { Sql } from "@partner-connect/database";
import { requireShop } from "./shop-write.ts";

/** A question as the API shows it. */
export interface ListedQuestion {
  readonly id: number;
  readonly prompt: string;
  readonly type: string | null;
  readonly published_at: string | null;
  readonly updated_at: string;
  readonly responses: readonly unknown[] | null;
}

/** All questions of a shop, by id: for operators. Throws {@link UnknownShopError}. Index: questions_pkey. */
export async function listQuestions(sql: Sql, shopId: string): Promise<ListedQuestion[]> {
  await requireShop(sql, shopId);
  const rows = await sql<{ doc: string }[]>`
    SELECT doc FROM survey.questions WHERE shop_id = ${shopId} ORDER BY id`;
  return rows.map(({ doc }) => JSON.parse(doc) as ListedQuestion);
}
