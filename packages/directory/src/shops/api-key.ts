import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Queries, type Sql, transaction } from "@partner-connect/database";
import { hashCredential, newCredential } from "../credential.ts";
import { DirectoryError } from "../directory-error.ts";
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
      INSERT INTO directory.api_keys AS k (shop_id, key_hash)
      SELECT id, ${hashCredential(key)}::bytea FROM directory.shops WHERE id = ${shopId}
      RETURNING ${apiKeyColumns(tx)}`;
    if (!created) throw unknownShop(shopId);
    await recordAudit(tx, { action: "api_key_create", shopId, detail: { api_key_id: created.id } }, actor);
    return { ...created, key };
  });
}

/** Ends the key for good. A key that was revoked before keeps its `revokedAt`. Index: api_keys_pkey. */
export async function revokeApiKey(sql: Sql, id: string, actor: Actor): Promise<ApiKey> {
  return await transaction(sql, async (tx) => {
    const [revoked] = await tx<ApiKey[]>`
      UPDATE directory.api_keys k SET revoked_at = now() WHERE id = ${id} AND revoked_at IS NULL RETURNING ${apiKeyColumns(tx)}`;
    if (revoked) {
      await recordAudit(tx, { action: "api_key_revoke", shopId: revoked.shopId, detail: { api_key_id: id } }, actor);
      return revoked;
    }
    const [former] = await tx<ApiKey[]>`SELECT ${apiKeyColumns(tx)} FROM directory.api_keys k WHERE id = ${id}`;
    if (!former) throw unknownApiKey(id);
    return former;
  });
}

/** Of directory.api_keys as `k`. */
export function apiKeyColumns(sql: Queries) {
  return sql`k.id, k.shop_id AS "shopId", k.created_at AS "createdAt", k.revoked_at AS "revokedAt"`;
}

export function unknownApiKey(id: string): DirectoryError {
  return new DirectoryError("UNKNOWN_API_KEY", `there is no API key with the id ${JSON.stringify(id)}`);
}
