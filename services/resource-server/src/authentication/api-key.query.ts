import type { Queries } from "@partner-connect/database";
import type { ApiKey } from "./caller.ts";

/** Returns the key with this SHA-256, or null. Each call checks revocation together with its data. Index: api_keys_key_hash_key. */
export async function findApiKey(sql: Queries, hash: Buffer): Promise<ApiKey | null> {
  const [row] = await sql<{ id: string; shop_id: string }[]>`
    SELECT id, shop_id FROM directory.api_keys WHERE key_hash = ${hash}`;
  return row ? { kind: "api_key", id: row.id, shopId: row.shop_id } : null;
}
