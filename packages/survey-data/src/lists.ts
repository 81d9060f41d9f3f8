import { type ListPage, listPage, type Sql } from "@partner-connect/database";
import { requireShop } from "./take-stamp.ts";

export interface ListedQuestion {
  readonly id: number;
  readonly prompt: string;
  readonly type: string | null;
  readonly published_at: string | null;
  readonly updated_at: string;
  readonly responses: readonly unknown[] | null;
}

/** Questions of a shop, by id, for operators. Index: questions_pkey. @throws {UnknownShopError} */
export async function listQuestions(sql: Sql, shopId: string, page: ListPage): Promise<ListedQuestion[]> {
  await requireShop(sql, shopId);
  const rows = await sql<{ doc: string }[]>`
    SELECT doc FROM survey.questions WHERE shop_id = ${shopId} ${listPage(sql, page, "id", ["doc"])}`;
  return rows.map(({ doc }) => JSON.parse(doc) as ListedQuestion);
}

export interface ListedSource {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly externalId: string | null;
  readonly url: string | null;
  readonly aliases: readonly string[];
  readonly insertedAt: Date;
  readonly updatedAt: Date;
}

/** Sources of a shop, oldest first, for operators. Index: sources_pkey. @throws {UnknownShopError} */
export async function listSources(sql: Sql, shopId: string, page: ListPage): Promise<ListedSource[]> {
  await requireShop(sql, shopId);
  return await sql<ListedSource[]>`
    SELECT id, name, type, external_id AS "externalId", url, aliases, inserted_at AS "insertedAt",
      updated_at AS "updatedAt"
    FROM survey.sources WHERE shop_id = ${shopId} ${listPage(sql, page, "id", ["name", "external_id"])}`;
}
