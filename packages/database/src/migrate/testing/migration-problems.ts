import { parse } from "libpg-query";
import { statementsOf } from "../apply-migration.ts";
import { alterationProblems } from "./alteration-problems.ts";
import { type Statement, tableName } from "./statement-tree.ts";

/**
 * What of a migration holds up callers for longer than a moment, or takes away what the former release reads. By Postgres's own
 * parser. Tables that the migration itself makes are exempt, as nobody uses them yet.
 */
export async function migrationProblems(script: string, isOutside: boolean): Promise<string[]> {
  const statements = await treesOf(script);
  const count = statementsOf(script).length;
  const cut = count === statements.length ? [] : [`it is cut into ${count} statements, and has ${statements.length}`];
  if (isOutside) return [...cut, ...statements.flatMap(outsideProblems)];
  const made = new Set(statements.map(({ CreateStmt }) => CreateStmt && tableName(CreateStmt.relation)));
  return [...cut, ...statements.flatMap((statement) => problems(statement, (table) => made.has(table)))];
}

async function treesOf(script: string): Promise<Statement[]> {
  const { stmts = [] } = await parse(script);
  return stmts.map(({ stmt }) => stmt as Statement);
}

function problems(statement: Statement, isNew: (table: string) => boolean): string[] {
  const { AlterTableStmt, DeleteStmt, DoStmt, DropStmt, IndexStmt, InsertStmt, RenameStmt, UpdateStmt } = statement;
  const { LockStmt, ReindexStmt, TruncateStmt, VacuumStmt } = statement;
  if (AlterTableStmt) {
    const table = tableName(AlterTableStmt.relation);
    return isNew(table) ? [] : alterationProblems(AlterTableStmt).map((problem) => `${table}: ${problem}`);
  }
  if (IndexStmt) {
    const table = tableName(IndexStmt.relation);
    return isNew(table) ? [] : [`${table}: an index on a table that is there: CONCURRENTLY, in a file .outside.sql`];
  }
  if (UpdateStmt ?? DeleteStmt) {
    const table = tableName((UpdateStmt ?? DeleteStmt)?.relation);
    return isNew(table) ? [] : [`${table}: changes many rows in one transaction: in batches, in a file .outside.sql`];
  }
  if (InsertStmt && !isNew(tableName(InsertStmt.relation))) {
    return InsertStmt.selectStmt?.SelectStmt?.valuesLists
      ? []
      : [`${tableName(InsertStmt.relation)}: copies many rows`];
  }
  if (RenameStmt) return [`${tableName(RenameStmt.relation)}: a renaming, and the former release knows the old name`];
  if (DropStmt && !["OBJECT_TRIGGER", "OBJECT_POLICY"].includes(DropStmt.removeType)) {
    return [`drops an ${DropStmt.removeType}, which the former release may read`];
  }
  if (LockStmt ?? ReindexStmt ?? TruncateStmt ?? VacuumStmt) return ["a LOCK, REINDEX, TRUNCATE or VACUUM"];
  const body = DoStmt && JSON.stringify(DoStmt);
  if (body && /\b(?:ALTER\s+TABLE|CREATE\s+(?:UNIQUE\s+)?INDEX|UPDATE|DELETE|DROP|LOCK|TRUNCATE)\b/i.test(body)) {
    return ["changes tables from inside a DO, where no rule sees it"];
  }
  return [];
}

/** Outside of a transaction: what can be repeated, and holds up nobody. */
function outsideProblems(statement: Statement): string[] {
  const { AlterTableStmt, CallStmt, DoStmt, DropStmt, IndexStmt, ReindexStmt, VacuumStmt } = statement;
  const validates = AlterTableStmt?.cmds.every(
    ({ AlterTableCmd }) => AlterTableCmd.subtype === "AT_ValidateConstraint",
  );
  const isKnown =
    (IndexStmt?.concurrent && IndexStmt.if_not_exists && IndexStmt.idxname !== undefined) ||
    (DropStmt?.removeType === "OBJECT_INDEX" && DropStmt.concurrent && DropStmt.missing_ok) ||
    (VacuumStmt && !JSON.stringify(VacuumStmt).includes('"full"')) ||
    (ReindexStmt && JSON.stringify(ReindexStmt).includes('"concurrently"')) ||
    (DoStmt && /\bCOMMIT\b/i.test(JSON.stringify(DoStmt))) ||
    CallStmt ||
    validates;
  return isKnown
    ? []
    : [`${Object.keys(statement).join()}: can't be repeated, or holds up others, outside of a transaction`];
}
