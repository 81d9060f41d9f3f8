import { type Actor, recordAudit } from "@partner-connect/audit";
import {
  type ListPage,
  listPageSql,
  type Queries,
  type Sql,
  type Statement,
  transaction,
} from "@partner-connect/database";
import { lockUnlessErasing, shopIsBeingErased } from "../being-erased.ts";
import { hashCredential, newCredential } from "../credentials.ts";
import { DirectoryError } from "../directory-error.ts";
import { requireShop } from "./shop.ts";

/** A shop's credential for the API, with the scopes of the shop's plan. */
export interface ApiKey {
  readonly id: string;
  readonly shopId: string;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

/**
 * Creates a key and returns it; only its hash is stored. Index: shops_pkey.
 * @throws {DirectoryError} UNKNOWN_SHOP, ERASURE_UNDER_WAY
 */
export async function createApiKey(
  sql: Sql,
  shopId: string,
  actor: Actor,
): Promise<ApiKey & { readonly key: string }> {
  const key = newCredential("pck");
  return await transaction(sql, async (tx) => {
    await lockUnlessErasing(tx, "shop", shopId);
    const [created] = await tx<[ApiKey]>`
      INSERT INTO directory.api_keys AS k (shop_id, key_hash) VALUES (${shopId}, ${hashCredential(key)})
      RETURNING ${apiKeyColumns(tx)}`;
    const detail = { api_key_id: created.id };
    await recordAudit(tx, { action: "api_key_create", shopId, detail }, actor);
    return { ...created, key };
  });
}

/**
 * Ends the key for good. A key that was revoked before keeps its `revokedAt`. Index: api_keys_pkey.
 * @throws {DirectoryError} UNKNOWN_API_KEY
 */
export async function revokeApiKey(sql: Sql, id: string, actor: Actor): Promise<ApiKey> {
  const changed = await transaction(sql, async (tx) => {
    const [revoked] = await tx<ApiKey[]>`
      UPDATE directory.api_keys k SET revoked_at = now() WHERE id = ${id} AND revoked_at IS NULL RETURNING ${apiKeyColumns(tx)}`;
    const detail = { api_key_id: id };
    if (revoked)
      await recordAudit(tx, { action: "api_key_revoke", shopId: revoked.shopId, detail }, actor);
    return revoked;
  });
  return changed ?? (await findApiKey(sql, id));
}

/** Revokes all keys of a shop that is being erased, with a record for each. */
export async function revokeApiKeys(sql: Sql, shopId: string, actor: Actor): Promise<void> {
  await transaction(sql, async (tx) => {
    const revoked = await tx<{ id: string }[]>`
      UPDATE directory.api_keys SET revoked_at = now() WHERE shop_id = ${shopId} AND revoked_at IS NULL
        AND ${shopIsBeingErased(tx)}
      RETURNING id`;
    for (const { id } of revoked) {
      const detail = { api_key_id: id };
      await recordAudit(tx, { action: "api_key_revoke", shopId, detail }, actor);
    }
  });
}

/** SQL for the columns of an {@link ApiKey} from directory.api_keys as `k`. */
function apiKeyColumns(sql: Queries) {
  return sql`k.id, k.shop_id AS "shopId", k.created_at AS "createdAt", k.revoked_at AS "revokedAt"`;
}

/** A key as operators see it. */
export interface ListedApiKey extends ApiKey {
  readonly shopName: string;
}

/**
 * The keys of one shop, or of all, oldest first; `search` matches the shop's name.
 * @throws {DirectoryError} UNKNOWN_SHOP
 */
export async function listApiKeys(
  sql: Sql,
  { shopId, ...page }: ListPage & { readonly shopId?: string | undefined } = {},
): Promise<ListedApiKey[]> {
  if (shopId !== undefined) await requireShop(sql, shopId);
  return await selectKeys(sql, shopId === undefined ? sql`true` : sql`k.shop_id = ${shopId}`, page);
}

/** Index: api_keys_pkey. @throws {DirectoryError} UNKNOWN_API_KEY */
export async function findApiKey(sql: Sql, id: string): Promise<ListedApiKey> {
  const [key] = await selectKeys(sql, sql`k.id = ${id}`, {});
  if (key) return key;
  const problem = `there is no API key with the id ${JSON.stringify(id)}`;
  throw new DirectoryError("UNKNOWN_API_KEY", problem);
}

async function selectKeys(sql: Sql, which: Statement, page: ListPage): Promise<ListedApiKey[]> {
  return await sql<ListedApiKey[]>`
    SELECT ${apiKeyColumns(sql)}, s.name AS "shopName"
    FROM directory.api_keys k JOIN directory.shops s ON s.id = k.shop_id
    WHERE ${which} ${listPageSql(sql, page, "k.id", ["s.name"])}`;
}
