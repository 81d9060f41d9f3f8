import type { Part, Sql, Statement } from "@partner-connect/database";

/** Which part of a list an operator wants; all that is left out: the whole list, oldest first. */
export interface ListPage {
  /** How many at most. */
  readonly limit?: number | undefined;
  /** The id of an element: those after it. It has to be there. */
  readonly after?: string | undefined;
  /** A part of a name, in any case. */
  readonly search?: string | undefined;
}

interface Listed {
  /** As the statement names it: `directory.shops s`. */
  readonly table: "directory.clients" | "directory.shops" | "directory.merchants";
  readonly alias: string;
  readonly id: string;
  /** In which `search` looks. */
  readonly searched: readonly string[];
}

/** The end of a list's statement, from its WHERE on. It reads the whole table, which is small. */
export function pageOf(sql: Sql, { limit, after, search }: ListPage, list: Listed, filter = sql`true`): Statement {
  const column = (name: string) => sql(`${list.alias}.${name}`);
  const [table, id] = [sql(list.table), sql(list.id)];
  return sql`
    WHERE ${filter}
      ${after === undefined ? sql`` : sql`AND (${column("created_at")}, ${column(list.id)}) > (SELECT created_at, ${id} FROM ${table} WHERE ${id} = ${after})`}
      ${search === undefined ? sql`` : sql`AND ${contains(sql, list.searched.map(column), search)}`}
    ORDER BY ${column("created_at")}, ${column(list.id)}
    ${limit === undefined ? sql`` : sql`LIMIT ${limit}`}`;
}

/** Whether one of the columns has the text, in upper or lower case. */
function contains(sql: Sql, columns: readonly Part[], search: string): Statement {
  const found = columns.map((column) => sql`strpos(lower(${column}), lower(${search})) > 0`);
  return sql`(${found.reduce((all, one) => sql`${all} OR ${one}`)})`;
}
