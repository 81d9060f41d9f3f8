import type { Sql, Statement } from "./sql.ts";

/** Which part of a list is wanted. */
export interface ListPage {
  readonly limit?: number | undefined;
  /** An id: the list continues after it. Ids are in the order of creation. */
  readonly after?: string | undefined;
  /** Part of a name, in any case. */
  readonly search?: string | undefined;
}

/**
 * The end of a list's statement, oldest first: what follows the WHERE with its other conditions.
 * @param id the column of ids, such as `c.id`
 * @param searched the columns in which `search` looks
 */
export function listPage(
  sql: Sql,
  { limit, after, search }: ListPage,
  id: string,
  searched: readonly string[],
): Statement {
  return sql`
    ${after === undefined ? sql`` : sql`AND ${sql(id)} > ${after}`}
    ${search === undefined ? sql`` : sql`AND ${contains(sql, searched, search)}`}
    ORDER BY ${sql(id)} ${limit === undefined ? sql`` : sql`LIMIT ${limit}`}`;
}

/** Whether one of the columns has the text, in upper or lower case. */
export function contains(sql: Sql, columns: readonly string[], search: string): Statement {
  const found = columns.map((column) => sql`strpos(lower(${sql(column)}::text), lower(${search})) > 0`);
  return sql`(${found.reduce((all, one) => sql`${all} OR ${one}`)})`;
}
