import type { Sql } from "@partner-connect/database";
import { DirectoryError, unknown } from "./directory-error.ts";

/** A client or a shop. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/**
 * The client of this id or, if there is none, of this whole name: for operators. Index: clients_pkey; by a name it reads the table.
 * @throws {DirectoryError} UNKNOWN_CLIENT, AMBIGUOUS_NAME
 */
export const clientByIdOrName = (sql: Sql, given: string): Promise<Named> => byIdOrName(sql, given, "client");

/** The same for a shop. Index: shops_pkey. @throws {DirectoryError} UNKNOWN_SHOP, AMBIGUOUS_NAME */
export const shopByIdOrName = (sql: Sql, given: string): Promise<Named> => byIdOrName(sql, given, "shop");

/** The ids of those that are given. @throws {DirectoryError} UNKNOWN_CLIENT, UNKNOWN_SHOP, AMBIGUOUS_NAME */
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
  const find = (column: typeof idColumn) => sql<Named[]>`
    SELECT ${idColumn} AS id, name FROM ${sql(`directory.${what}s`)} WHERE ${column} = ${given} ORDER BY 1 LIMIT 4`;
  const byId = await find(idColumn);
  const [found, ...others] = byId.length > 0 ? byId : await find(sql("name"));
  if (!found) throw unknown(what, given);
  if (others.length === 0) return found;
  const ids = [found, ...others].slice(0, 3).map(({ id }) => id);
  const some = `${ids.join(", ")}${others.length > 2 ? ", …" : ""}`;
  throw new DirectoryError("AMBIGUOUS_NAME", `several ${what}s have the name ${JSON.stringify(given)}: ${some}`);
}
