import type { Queries } from "@partner-connect/database";
import { erasureUnderWayError, unknownIdError } from "./directory-error.ts";

/**
 * Locks a merchant or shop for a change, until the transaction ends, so that a request to erase it
 * waits. Indexes: merchants_pkey, shops_pkey.
 * @throws {DirectoryError} UNKNOWN_MERCHANT, UNKNOWN_SHOP; ERASURE_UNDER_WAY while it is being erased
 */
export async function lockUnlessErasing(
  tx: Queries,
  what: "merchant" | "shop",
  id: string,
  lock = tx`FOR SHARE`,
): Promise<void> {
  const [found] = await tx<{ isErasing: boolean }[]>`
    SELECT erase_requested_at IS NOT NULL AS "isErasing" FROM ${tx(`directory.${what}s`)} WHERE id = ${id} ${lock}`;
  if (!found) throw unknownIdError(what, id);
  if (found.isErasing) throw erasureUnderWayError(what, id);
}

/** True from the request for the record's erasure until the erasure is complete. */
export async function isBeingErased(sql: Queries, what: "merchant" | "shop", id: string) {
  const table = sql(`directory.${what}s`);
  const found = await sql`SELECT FROM ${table} WHERE id = ${id} AND erase_requested_at IS NOT NULL`;
  return found.length > 0;
}

/** An SQL condition that a row's shop (`shop_id`) is being erased. Index: shops_pkey. */
export const shopIsBeingErased = (sql: Queries) =>
  sql`EXISTS (SELECT FROM directory.shops s WHERE s.id = shop_id AND s.erase_requested_at IS NOT NULL)`;
