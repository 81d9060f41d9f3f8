import type { Queries } from "./sql.ts";

/** A check for `/readyz`: rejects unless Postgres accepts writes and this role may write to the table. Locks no table. */
export async function requireWritable(sql: Queries, table: string): Promise<void> {
  const [row] = await sql<{ read_only: boolean; granted: boolean }[]>`
    SELECT current_setting('transaction_read_only')::boolean AS read_only,
      has_any_column_privilege(${table}, 'UPDATE') AS granted`;
  if (row?.read_only !== false) throw new Error("Postgres is read-only");
  if (!row.granted) throw new Error(`${table} may not be written`);
}
