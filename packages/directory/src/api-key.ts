import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Sql, transaction } from "@partner-connect/database";
import type { ISql } from "postgres";
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
export async function createApiKey(sql: Sql, shopId: string, actor: Actor): Promise<ApiKey & { readonly key: string }> {
  const key = newCredential("pck");
  return await transaction(sql, async (tx) => {
    const [created] = await tx<ApiKey[]>`
      INSERT INTO directory.api_keys (shop_id, key_hash)
      SELECT id, ${hashCredential(key)}::bytea FROM directory.shops WHERE id = ${shopId}
      RETURNING ${columns(tx)}`;
    if (!created) throw unknownShop(shopId);
    await recordAudit(tx, { action: "api_key_create", shopId, detail: { api_key_id: created.id } }, actor);
    return { ...created, key };
  });
}

/** Ends the key for good. A key that was revoked before keeps its `revokedAt`. Index: api_keys_pkey. */
export async function revokeApiKey(sql: Sql, id: string, actor: Actor): Promise<ApiKey> {
  return await transaction(sql, async (tx) => {
    const [revoked] = await tx<ApiKey[]>`
      UPDATE directory.api_keys SET revoked_at = now() WHERE id = ${id} AND revoked_at IS NULL RETURNING ${columns(tx)}`;
    if (revoked) {
      await recordAudit(tx, { action: "api_key_revoke", shopId: revoked.shopId, detail: { api_key_id: id } }, actor);
      return revoked;
    }
    const [former] = await tx<ApiKey[]>`SELECT ${columns(tx)} FROM directory.api_keys WHERE id = ${id}`;
    if (!former) throw new DirectoryError("UNKNOWN_API_KEY", `there is no API key with the id ${JSON.stringify(id)}`);
    return former;
  });
}

/** The keys of one shop, or of all, oldest first: for operators. */
export async function listApiKeys(sql: Sql, filter: { readonly shopId?: string | undefined } = {}): Promise<ApiKey[]> {
  return await sql<ApiKey[]>`
    SELECT ${columns(sql)} FROM directory.api_keys
    ${filter.shopId === undefined ? sql`` : sql`WHERE shop_id = ${filter.shopId}`}
    ORDER BY created_at, id`;
}

function columns(sql: ISql) {
  return sql`id, shop_id AS "shopId", created_at AS "createdAt", revoked_at AS "revokedAt"`;
}
