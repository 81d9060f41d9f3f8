import { type Actor, recordAudit } from "@partner-connect/audit";
import {
  type ListPage,
  listPageSql,
  type Queries,
  type Sql,
  transaction,
} from "@partner-connect/database";
import { hashCredential, newCredential } from "./credentials.ts";
import { DirectoryError } from "./directory-error.ts";
import { displayName } from "./display-name.ts";

/** A credential of the survey product for the internal API. */
export interface ProductKey {
  readonly id: string;
  /** The actor in the audit log is `product:NAME`. Several keys may have the same name. */
  readonly name: string;
  readonly createdAt: Date;
  /** Last use, to the minute; null if it was never used. */
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** Creates a key and returns it; only its hash is stored. @throws {DirectoryError} INVALID_NAME */
export async function createProductKey(
  sql: Sql,
  given: string,
  actor: Actor,
): Promise<ProductKey & { readonly key: string }> {
  const name = displayName(given, "key");
  const key = newCredential("pcp");
  return await transaction(sql, async (tx) => {
    const [created] = await tx<ProductKey[]>`
      INSERT INTO directory.product_keys (name, key_hash) VALUES (${name}, ${hashCredential(key)})
      RETURNING ${columns(tx)}`;
    if (!created) throw new Error("no row was inserted");
    const detail = { product_key_id: created.id, name };
    await recordAudit(tx, { action: "product_key_create", detail }, actor);
    return { ...created, key };
  });
}

/** All keys, including revoked ones, oldest first. */
export async function listProductKeys(sql: Sql, page: ListPage = {}): Promise<ProductKey[]> {
  return await sql<ProductKey[]>`
    SELECT ${columns(sql)} FROM directory.product_keys WHERE true ${listPageSql(sql, page, "id", ["name"])}`;
}

/** Index: product_keys_pkey. @throws {DirectoryError} UNKNOWN_PRODUCT_KEY */
export async function findProductKey(sql: Queries, id: string): Promise<ProductKey> {
  const [key] = await sql<ProductKey[]>`
    SELECT ${columns(sql)} FROM directory.product_keys WHERE id = ${id}`;
  if (key) return key;
  const problem = `there is no product key ${JSON.stringify(id)}`;
  throw new DirectoryError("UNKNOWN_PRODUCT_KEY", problem);
}

/**
 * Refuses the key from the next call on. If it was already revoked, `revokedAt` stays.
 * @throws {DirectoryError} UNKNOWN_PRODUCT_KEY
 */
export async function revokeProductKey(sql: Sql, id: string, actor: Actor): Promise<ProductKey> {
  return await transaction(sql, async (tx) => {
    const [revoked] = await tx<ProductKey[]>`
      UPDATE directory.product_keys SET revoked_at = now() WHERE id = ${id} AND revoked_at IS NULL RETURNING ${columns(tx)}`;
    if (!revoked) return await findProductKey(tx, id);
    const detail = { product_key_id: id, name: revoked.name };
    await recordAudit(tx, { action: "product_key_revoke", detail }, actor);
    return revoked;
  });
}

/**
 * Finds the key, also a revoked one, and records the use of a valid one at most once a minute. Null
 * if there is no such key. Index: product_keys_key_hash_key.
 */
export async function useProductKey(sql: Queries, key: string): Promise<ProductKey | null> {
  const [found] = await sql<(ProductKey & { isNoted: boolean })[]>`
    SELECT ${columns(sql)}, coalesce(last_used_at > now() - interval '1 minute', false) AS "isNoted"
    FROM directory.product_keys WHERE key_hash = ${hashCredential(key)}`;
  if (found && !found.revokedAt && !found.isNoted) {
    await sql`UPDATE directory.product_keys SET last_used_at = now() WHERE id = ${found.id}`;
  }
  return found ?? null;
}

function columns(sql: Queries) {
  return sql`id, name, created_at AS "createdAt", last_used_at AS "lastUsedAt", revoked_at AS "revokedAt"`;
}
