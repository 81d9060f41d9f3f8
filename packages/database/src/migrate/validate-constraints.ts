import type { Sql } from "../pool/sql.ts";

/**
 * Checks existing rows against the constraints that a migration added as NOT VALID. Each is a statement of its own, once the
 * migrations have committed: it reads the whole table, but readers and writers go on beside it.
 */
export async function validateConstraints(sql: Sql): Promise<void> {
  const rows = await sql<{ statement: string }[]>`
    SELECT format('ALTER TABLE %s VALIDATE CONSTRAINT %I', conrelid::regclass, conname) AS statement
    FROM pg_constraint WHERE NOT convalidated AND connamespace::regnamespace::text IN ('directory', 'oauth', 'survey')`;
  for (const { statement } of rows) await sql.unsafe(statement);
}
