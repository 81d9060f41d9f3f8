import type { MigrationSession } from "./locked-session.ts";
import { isApplied, type Migration, noteApplied } from "./migration-files.ts";
import { isAutovacuum } from "./session-watch.ts";
import { LOCK_WAIT_MS, withShortLocks } from "./short-locks.ts";

/** Milliseconds: Postgres ends an autovacuum that somebody has waited for during `deadlock_timeout`, a second. */
const AUTOVACUUM_WAIT_MS = 1200;

/** Applies and notes it in one transaction, each try waiting `lockWait` ms. False: applied already. @throws 55P03: no lock in time */
export async function applyInTransaction(
  { sql, patience, watch }: MigrationSession,
  migration: Migration,
  lockWait: number = LOCK_WAIT_MS,
): Promise<boolean> {
  const wait = () => (watch.holders.some(isAutovacuum) ? Math.max(lockWait, AUTOVACUUM_WAIT_MS) : lockWait);
  return await withShortLocks(sql, { patience, lockWait: wait }, async (tx) => {
    if (await isApplied(tx, migration)) return false;
    // One by one, as a cluster sends its other nodes the whole text that it was sent.
    for (const statement of statementsOf(migration.script)) await tx.unsafe(statement);
    await noteApplied(tx, migration);
    return true;
  });
}

/** Applies it statement by statement: slow work that holds up nobody, and can be repeated. False: applied already. */
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

/** Whether the index that the statement makes is complete. What an interrupted one has left is dropped, as nothing would use it. */
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

/** A comment, a string, a name in quotes, a dollar-quoted text, or a semicolon. */
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\b[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(?<!\w)\$(\w*)\$[\s\S]*?\$\1\$|;/g;

/** The statements of a script, each with the comments before it. */
export function statementsOf(script: string): string[] {
  const statements: string[] = [];
  let from = 0;
  for (const { 0: token, index } of script.matchAll(TOKEN)) {
    if (token !== ";") continue;
    statements.push(script.slice(from, index).trim());
    from = index + 1;
  }
  statements.push(script.slice(from).trim());
  return statements.filter((statement) => statement.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, "").trim() !== "");
}
