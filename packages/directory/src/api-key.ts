import type { Sql } from "@partner-connect/database";
import { hashCredential, newCredential } from "./credential.ts";
import { DirectoryError } from "./directory-error.ts";
import { unknownShop } from "./shop.ts";

/** A shop's own access to the API, with the scopes of its plan. */
export interface ApiKey {
  readonly id: string;
  readonly shopId: string;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

/** The key is returned here and never again: only its hash is stored. Index: shops_pkey. */
export async function createApiKey(sql: Sql, shopId: string): Promise<ApiKey & { readonly key: string }> {
  const key = newCredential("pck");
  const [created] = await sql<ApiKey[]>`
    INSERT INTO directory.api_keys (shop_id, key_hash)
    SELECT id, ${hashCredential(key)}::bytea FROM directory.shops WHERE id = ${shopId}
    RETURNING ${columns(sql)}`;
  if (!created) throw unknownShop(shopId);
  return { ...created, key };
}

/** Ends the key for good. A key that was revoked before keeps its `revokedAt`. Index: api_keys_pkey. */
export async function revokeApiKey(sql: Sql, id: string): Promise<ApiKey> {
  const [revoked] = await sql<ApiKey[]>`
    UPDATE directory.api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id = ${id} RETURNING ${columns(sql)}`;
  if (!revoked) throw new DirectoryError("UNKNOWN_API_KEY", `there is no API key with the id ${JSON.stringify(id)}`);
  return revoked;
}

/** The keys of one shop, or of all, oldest first: for operators. */
export async function listApiKeys(sql: Sql, filter: { readonly shopId?: string | undefined } = {}): Promise<ApiKey[]> {
  return await sql<ApiKey[]>`
    SELECT ${columns(sql)} FROM directory.api_keys
    ${filter.shopId === undefined ? sql`` : sql`WHERE shop_id = ${filter.shopId}`}
    ORDER BY created_at, id`;
}

function columns(sql: Sql) {
  return sql`id, shop_id AS "shopId", created_at AS "createdAt", revoked_at AS "revokedAt"`;
}
