import type { Sql } from "@partner-connect/database";
import { type ApiKey, apiKeyColumns, unknownApiKey } from "./api-key.ts";
import { requireShop } from "./require.ts";

/** A key as operators see it. */
export interface ListedApiKey extends ApiKey {
  readonly shopName: string;
  /** The beginning of the hour of its last call; null: none that was counted. */
  readonly lastUsedHour: Date | null;
}

/** The keys of one shop, or of all, oldest first. Throws UNKNOWN_SHOP. Index: api_usage_pkey. */
export async function listApiKeys(
  sql: Sql,
  filter: { readonly shopId?: string | undefined } = {},
): Promise<ListedApiKey[]> {
  const { shopId } = filter;
  if (shopId === undefined) return await select(sql, sql``);
  await requireShop(sql, shopId);
  return await select(sql, sql`WHERE k.shop_id = ${shopId}`);
}

/** One key. Throws UNKNOWN_API_KEY. Indexes: api_keys_pkey, api_usage_pkey. */
export async function findApiKey(sql: Sql, id: string): Promise<ListedApiKey> {
  const [key] = await select(sql, sql`WHERE k.id = ${id}`);
  if (!key) throw unknownApiKey(id);
  return key;
}

async function select(sql: Sql, which: ReturnType<Sql>): Promise<ListedApiKey[]> {
  const keys = await sql<Omit<ListedApiKey, "lastUsedHour">[]>`
    SELECT ${apiKeyColumns(sql)}, s.name AS "shopName"
    FROM directory.api_keys k JOIN directory.shops s ON s.id = k.shop_id
    ${which} ORDER BY k.created_at, k.id`;
  return await Promise.all(keys.map(async (key) => ({ ...key, lastUsedHour: await lastUsedHour(sql, key) })));
}

/** A statement for each key: on a cluster one that named all of them would read the usage of all shops. */
async function lastUsedHour(sql: Sql, { shopId, id }: Pick<ApiKey, "shopId" | "id">): Promise<Date | null> {
  const [usage] = await sql<{ hour: Date | null }[]>`
    SELECT max(hour) AS hour FROM oauth.api_usage WHERE shop_id = ${shopId} AND caller_id = ${id}`;
  return usage?.hour ?? null;
}
