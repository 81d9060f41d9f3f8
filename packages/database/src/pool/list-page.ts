import type { Sql, Statement } from "./sql.ts";

export interface ListPage {
  readonly limit?: number | undefined;
  /** The id after which the page begins. Ids that we generate are in the order of creation. */
  readonly after?: string | undefined;
  /** A text that the searched columns contain, case-insensitive. */
  readonly search?: string | undefined;
}

/**
 * SQL for the end of a list's statement: further conditions, the order by id, and the limit.
 * @param id the id column, such as `c.id` @param searched the columns that `search` applies to
 */
export function listPageSql(
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

/** An SQL condition that one of the columns contains the text, case-insensitive. */
export function containsSql(sql: Sql, columns: readonly string[], search: string): Statement {
  const found = columns.map(
    (column) => sql`strpos(lower(${sql(column)}::text), lower(${search})) > 0`,
  );
  return sql`(${found.reduce((all, one) => sql`${all} OR ${one}`)})`;
}
