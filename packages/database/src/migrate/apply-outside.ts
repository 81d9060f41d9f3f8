import { isApplied, noteApplied } from "./applied-migrations.ts";
import type { Migration } from "./migration-files.ts";
import type { MigrationSession } from "./migration-session.ts";
import { statementsOf } from "./statements.ts";

/**
 * Applies the migration outside of a transaction, statement by statement: for CREATE INDEX CONCURRENTLY and other slow work that
 * holds up nobody. Each of its statements can be repeated, so after a crash the next call begins with the first one again. It is
 * noted as applied after the last. False: it was applied already.
 */
export async function applyOutside(session: MigrationSession, migration: Migration): Promise<boolean> {
  const { sql } = session;
  if (await isApplied(sql, migration)) return false;
  for (const statement of statementsOf(migration.script)) {
    await session.takeTurn();
    if (await isIndexBuilt(session, statement)) continue;
    await sql.unsafe(statement);
  }
  await noteApplied(sql, migration);
  return true;
}

const CREATE_INDEX = /\bCREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+IF\s+NOT\s+EXISTS\s+(\w+)\s+ON\s+([\w.]+)/i;

/**
 * Whether the index that the statement makes is complete. (A cluster notes one that is there as not valid when it is made again, IF NOT EXISTS.)
 * What is left of CREATE INDEX CONCURRENTLY when it is interrupted is dropped: an index that is maintained, and never used.
 */
async function isIndexBuilt({ sql, report }: MigrationSession, statement: string): Promise<boolean> {
  const [, index, table] = CREATE_INDEX.exec(statement) ?? [];
  if (index === undefined || table === undefined) return false;
  const [found] = await sql<{ name: string; valid: boolean }[]>`
    SELECT c.oid::regclass::text AS name, i.indisvalid AS valid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE i.indrelid = ${table}::text::regclass AND c.relname = lower(${index})`;
  if (found?.valid !== false) return found !== undefined;
  report(`the index ${found.name} was begun and not completed: dropping it, to build it anew`);
  await sql.unsafe(`DROP INDEX CONCURRENTLY IF EXISTS ${found.name}`);
  return false;
}
