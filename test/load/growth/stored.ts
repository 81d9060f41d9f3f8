import type { Sql } from "@partner-connect/database";

/** The table or one of its indexes on disk. */
export interface Stored {
  readonly name: string;
  readonly bytes: number;
  /** Of an index: blocks from the root to a leaf, both included. */
  readonly levels: number | null;
}

/** Sizes of survey.responses. The whole of each index is read. */
export async function storedSizes(sql: Sql): Promise<readonly Stored[]> {
  await sql`CREATE EXTENSION IF NOT EXISTS pgstattuple`;
  const [table] = await sql<Stored[]>`
    SELECT 'table, with its TOAST' AS name, pg_table_size(oid)::float8 AS bytes, NULL AS levels FROM pg_class WHERE oid = 'survey.responses'::regclass`;
  const indexes = await sql<Stored[]>`
    SELECT relname AS name, pg_relation_size(indexrelid)::float8 AS bytes, tree_level + 1 AS levels
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid, pgstatindex(indexrelid::regclass)
    WHERE indrelid = 'survey.responses'::regclass ORDER BY relname`;
  return table ? [table, ...indexes] : indexes;
}
