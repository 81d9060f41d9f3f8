import type { Sql } from "@partner-connect/database";
import { DirectoryError, unknownIdError } from "./directory-error.ts";

/** A client or a shop. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/**
 * Finds the only client with this id or whole name; `id:ID` matches only ids. Only for operators,
 * because names have no index. @throws {DirectoryError} UNKNOWN_CLIENT, AMBIGUOUS_NAME
 */
export const clientByIdOrName = (sql: Sql, given: string): Promise<Named> =>
  byIdOrName(sql, given, "client");

/**
 * Like {@link clientByIdOrName}, for a shop. @throws {DirectoryError} UNKNOWN_SHOP, AMBIGUOUS_NAME
 */
export const shopByIdOrName = (sql: Sql, given: string): Promise<Named> =>
  byIdOrName(sql, given, "shop");

/**
 * The ids of the given shop and client. @throws {DirectoryError} UNKNOWN_CLIENT, UNKNOWN_SHOP,
 * AMBIGUOUS_NAME
 */
export async function idsOf(
  sql: Sql,
  { shop, client }: { readonly shop?: string | undefined; readonly client?: string | undefined },
) {
  return {
    shopId: shop === undefined ? undefined : (await shopByIdOrName(sql, shop)).id,
    clientId: client === undefined ? undefined : (await clientByIdOrName(sql, client)).id,
  };
}

async function byIdOrName(sql: Sql, given: string, what: "client" | "shop"): Promise<Named> {
  const idColumn = sql(what === "client" ? "client_id" : "id");
  const [, onlyId = null] = /^id:(.*)$/s.exec(given) ?? [];
  const id = onlyId ?? given;
  const [found, ...others] = await sql<Named[]>`
    SELECT ${idColumn} AS id, name FROM ${sql(`directory.${what}s`)}
    WHERE ${idColumn} = ${id} OR (${onlyId === null} AND name = ${given}) ORDER BY ${idColumn} = ${id} DESC, 1 LIMIT 4`;
  if (!found) throw unknownIdError(what, given);
  if (others.length === 0) return found;
  const all = [found, ...others]
    .slice(0, 3)
    .map((each) => `${each.id} ${JSON.stringify(each.name)}`);
  const some = `${all.join(", ")}${others.length > 2 ? ", …" : ""}`;
  const problem = `several ${what}s have the id or name ${JSON.stringify(given)}: ${some}`;
  throw new DirectoryError("AMBIGUOUS_NAME", problem);
}
