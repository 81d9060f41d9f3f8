import type { MigrationSession } from "./locked-session.ts";
import { isApplied, type Migration, noteApplied } from "./migration-files.ts";
import { recordObjects, schemaObjects } from "./schema-objects.ts";
import { isAutovacuum } from "./session-watch.ts";
import { LOCK_WAIT_MS, withShortLocks } from "./short-locks.ts";

/** Milliseconds: Postgres cancels an autovacuum that somebody has waited for during `deadlock_timeout`, a second. */
const AUTOVACUUM_WAIT_MS = 1200;

/** Applies and records it in one transaction. False: applied already. @throws 55P03: no lock in time */
export async function applyMigration(
  { sql, patience, watch }: MigrationSession,
  migration: Migration,
): Promise<boolean> {
  const lockWait = () => (watch.holders.some(isAutovacuum) ? AUTOVACUUM_WAIT_MS : LOCK_WAIT_MS);
  return await withShortLocks(sql, { patience, lockWait }, async (tx) => {
    if (await isApplied(tx, migration)) return false;
    const before = await schemaObjects(tx);
    // One by one: Citus sends its other nodes the whole text that it was sent.
    for (const statement of statementsOf(migration.script)) await tx.unsafe(statement);
    await recordObjects(tx, before);
    await noteApplied(tx, migration);
    return true;
  });
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
