import type { Sql } from "@partner-connect/database";

/** The condition that a row is of this shop, or of one of these. One shop is compared by `=`, for which a cluster asks one node. */
export function ofShops(sql: Sql, column: string, shops: string | readonly string[]) {
  const ids = [shops].flat();
  return ids.length === 1 ? sql`${sql(column)} = ${ids[0] ?? ""}` : sql`${sql(column)} = ANY (${ids}::text[])`;
}
