import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseFault } from "../pool/database-fault.ts";
import type { Queries } from "../pool/sql.ts";
import { MIGRATIONS, readMigrations } from "./migration-files.ts";

/**
 * Stores the version as a function, which services call: unlike a table, it exists on every node of
 * a cluster, and a call takes no lock.
 */
export async function setSchemaVersion(sql: Queries, version: number): Promise<void> {
  if ((await schemaVersion(sql)) === version) return;
  await sql.unsafe(
    `CREATE OR REPLACE FUNCTION directory.schema_version() RETURNS integer LANGUAGE sql STABLE RETURN ${version}`,
  );
}

/** Milliseconds that a check waits for Postgres: less than `/readyz` may take. */
const PATIENCE_MS = 1000;

/**
 * A check for `/readyz`: rejects until the database has this version's migrations. Passes while the
 * database is down or does not answer.
 */
export function schemaCheck(sql: Queries): () => Promise<void> {
  let isKnown = false;
  return async () => {
    if (isKnown) return;
    const needed = (await readMigrations(MIGRATIONS)).at(-1)?.version ?? 0;
    const silence = sleep(PATIENCE_MS, null, { ref: false });
    const found = await Promise.race([schemaVersion(sql), silence]).catch((error) => {
      if (isDatabaseFault(error)) return null;
      throw error;
    });
    if (found === null) return;
    if (found < needed) {
      throw new Error(
        `the database has schema ${found}, this version needs ${needed}: run 'partner-connect migrate' first`,
      );
    }
    isKnown = true;
  };
}

/** The stored version; 0 if the database was never fully migrated. */
async function schemaVersion(sql: Queries): Promise<number> {
  const [row] = await sql<{ there: boolean }[]>`
    SELECT to_regprocedure('directory.schema_version()') IS NOT NULL AS there`;
  if (!row?.there) return 0;
  const [found] = await sql<{ version: number }[]>`SELECT directory.schema_version() AS version`;
  return found?.version ?? 0;
}

/**
 * A check for `/readyz`: rejects unless Postgres accepts writes and this role may write to the
 * table. Locks no table.
 */
export async function requireWritable(sql: Queries, table: string): Promise<void> {
  const [row] = await sql<{ read_only: boolean; granted: boolean }[]>`
    SELECT current_setting('transaction_read_only')::boolean AS read_only,
      has_any_column_privilege(${table}, 'UPDATE') AS granted`;
  if (row?.read_only !== false) throw new Error("Postgres is read-only");
  if (!row.granted) throw new Error(`${table} may not be written`);
}
