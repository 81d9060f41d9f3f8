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
  return await sql<ListedApiKey[]>`
    SELECT ${apiKeyColumns(sql)}, s.name AS "shopName",
      (SELECT max(u.hour) FROM oauth.api_usage u WHERE u.shop_id = k.shop_id AND u.caller_id = k.id) AS "lastUsedHour"
    FROM directory.api_keys k JOIN directory.shops s ON s.id = k.shop_id
    ${which} ORDER BY k.created_at, k.id`;
}
