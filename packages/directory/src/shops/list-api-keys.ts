import type { Sql } from "@partner-connect/database";
import { requireShop } from "../require.ts";
import { type ApiKey, apiKeyColumns, unknownApiKey } from "./api-key.ts";

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
  const [keys, used] = await Promise.all([
    sql<Omit<ListedApiKey, "lastUsedHour">[]>`
      SELECT ${apiKeyColumns(sql)}, s.name AS "shopName"
      FROM directory.api_keys k JOIN directory.shops s ON s.id = k.shop_id
      ${which} ORDER BY k.created_at, k.id`,
    lastUsedHours(sql, which),
  ]);
  return keys.map((key) => ({ ...key, lastUsedHour: used.get(key.id) ?? null }));
}

/**
 * By the key's id; missing where it was never used. The DISTINCT, of one row, is the search for each key's last hour, in a form that a
 * cluster takes: it can't take one for a key without any.
 */
async function lastUsedHours(sql: Sql, which: ReturnType<Sql>): Promise<ReadonlyMap<string, Date>> {
  const rows = await sql<{ id: string; hour: Date }[]>`
    SELECT k.id, last.hour
    FROM directory.api_keys k
      CROSS JOIN LATERAL (
        SELECT DISTINCT ON (u.shop_id, u.caller_id) u.hour FROM oauth.api_usage u
        WHERE u.shop_id = k.shop_id AND u.caller_id = k.id
        ORDER BY u.shop_id, u.caller_id, u.hour DESC) last
    ${which}`;
  return new Map(rows.map(({ id, hour }) => [id, hour]));
}
