import type { Sql, Statement } from "./sql.ts";

export interface ListPage {
  readonly limit?: number | undefined;
  /** The list continues after this id. Ids are in the order of creation. */
  readonly after?: string | undefined;
  /** Part of a name, case-insensitive. */
  readonly search?: string | undefined;
}

/**
 * The end of a list's statement, oldest first: WHERE conditions, order and limit. @param id the id
 * column, such as `c.id` @param searched the columns that `search` applies to
 */
export function listPage(
  sql: Sql,
  { limit, after, search }: ListPage,
  id: string,
  searched: readonly string[],
): Statement {
  return sql`
    ${after === undefined ? sql`` : sql`AND ${sql(id)} > ${after}`}
    ${search === undefined ? sql`` : sql`AND ${containsSql(sql, searched, search)}`}
    ORDER BY ${sql(id)} ${limit === undefined ? sql`` : sql`LIMIT ${limit}`}`;
}

/** A condition that one of the columns contains the text, case-insensitive. */
export function containsSql(sql: Sql, columns: readonly string[], search: string): Statement {
  const found = columns.map(
    (column) => sql`strpos(lower(${sql(column)}::text), lower(${search})) > 0`,
  );
  return sql`(${found.reduce((all, one) => sql`${all} OR ${one}`)})`;
}
