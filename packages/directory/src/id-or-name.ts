import type { Sql } from "@partner-connect/database";
import { unknownClient } from "./clients/client.ts";
import { DirectoryError } from "./directory-error.ts";
import { unknownShop } from "./shops/shop.ts";

/** A client or a shop. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/**
 * The client of this id or, if there is none, of this whole name: for operators. Index: clients_pkey; by a name it reads the table.
 * @throws {DirectoryError} UNKNOWN_CLIENT, AMBIGUOUS_NAME
 */
export async function clientByIdOrName(sql: Sql, given: string): Promise<Named> {
  return (await only(sql, given, "clients", "client_id")) ?? fail(unknownClient(given));
}

/** The same for a shop. Index: shops_pkey. @throws {DirectoryError} UNKNOWN_SHOP, AMBIGUOUS_NAME */
export async function shopByIdOrName(sql: Sql, given: string): Promise<Named> {
  return (await only(sql, given, "shops", "id")) ?? fail(unknownShop(given));
}

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

async function only(sql: Sql, given: string, table: string, idColumn: string): Promise<Named | undefined> {
  const find = (column: string) => sql<Named[]>`
    SELECT ${sql(idColumn)} AS id, name FROM ${sql(`directory.${table}`)} WHERE ${sql(column)} = ${given} ORDER BY 1 LIMIT 4`;
  const byId = await find(idColumn);
  const found = byId.length > 0 ? byId : await find("name");
  if (found.length < 2) return found[0];
  const ids = found.slice(0, 3).map(({ id }) => id);
  const some = `${ids.join(", ")}${found.length > 3 ? ", …" : ""}`;
  throw new DirectoryError("AMBIGUOUS_NAME", `several ${table} have the name ${JSON.stringify(given)}: ${some}`);
}

function fail(error: Error): never {
  throw error;
}
