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
        await dropHalfMade(session, statement);
        await sql.unsafe(statement).simple();
      }
    },
  });
  return (await postgrator.migrate(String(version))).length > 0;
}

const CREATE_INDEX = /\bCREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+IF\s+NOT\s+EXISTS\s+(\w+)\s+ON\s+([\w.]+)/i;

/** What is left of CREATE INDEX CONCURRENTLY when it is interrupted: an index that is maintained, and never used. */
async function dropHalfMade({ sql, report }: MigrationSession, statement: string): Promise<void> {
  const [, index, table] = CREATE_INDEX.exec(statement) ?? [];
  if (index === undefined || table === undefined) return;
  const halfMade = await sql<{ name: string }[]>`
    SELECT c.oid::regclass::text AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE i.indrelid = ${table}::text::regclass AND c.relname = lower(${index}) AND NOT i.indisvalid`;
  for (const { name } of halfMade) {
    report(`the index ${name} was begun and not completed: dropping it, to build it anew`);
    await sql.unsafe(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  }
}
