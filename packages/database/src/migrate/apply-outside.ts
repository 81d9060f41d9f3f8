import Postgrator from "postgrator";
import type { Step } from "./apply-in-transaction.ts";
import type { MigrationSession } from "./migration-session.ts";
import { statementsOf } from "./statements.ts";

/** Such as `016.do.connections-by-client.outside.sql`. */
export function isOutside(filename: string): boolean {
  return filename.endsWith(".outside.sql");
}

/**
 * Applies the migration outside of a transaction, statement by statement: for CREATE INDEX CONCURRENTLY and other slow work that
 * holds up nobody. Each of its statements can be repeated, so after a crash the next call begins with the first one again. It is
 * noted as applied after the last. False: it was applied already.
 */
export async function applyOutside(session: MigrationSession, { version, pattern }: Step): Promise<boolean> {
  const { sql } = session;
  const postgrator = new Postgrator({
    driver: "pg",
    migrationPattern: pattern,
    schemaTable: "public.schema_version",
    validateChecksums: false, // migrate has done that
    execQuery: async (query) => ({ rows: await sql.unsafe(query) }),
    execSqlScript: async (script) => {
      for (const statement of statementsOf(script)) {
        await session.takeTurn();
        if (await isIndexBuilt(session, statement)) continue;
        await sql.unsafe(statement);
      }
    },
  });
  return (await postgrator.migrate(String(version))).length > 0;
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
