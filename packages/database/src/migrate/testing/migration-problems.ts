import { parse } from "libpg-query";
import { statementsOf } from "../../citus/statements.ts";
import { alterationProblems } from "./alteration-problems.ts";
import { type Statement, tableName } from "./statement-tree.ts";

/**
 * What in a migration would hold up callers, or break the services that run during it, by Postgres's own parser. Tables that the
 * migration itself creates are exempt, as nothing uses them yet.
 */
export async function migrationProblems(script: string): Promise<string[]> {
  const statements = await treesOf(script);
  const count = statementsOf(script).length;
  const cut = count === statements.length ? [] : [`it is cut into ${count} statements, and has ${statements.length}`];
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
    return isNew(table) ? [] : [`${table}: an index on an existing table blocks its writers`];
  }
  if (UpdateStmt ?? DeleteStmt) {
    const table = tableName((UpdateStmt ?? DeleteStmt)?.relation);
    return isNew(table) ? [] : [`${table}: changes many rows in one transaction`];
  }
  if (InsertStmt && !isNew(tableName(InsertStmt.relation))) {
    return InsertStmt.selectStmt?.SelectStmt?.valuesLists
      ? []
      : [`${tableName(InsertStmt.relation)}: copies many rows`];
  }
  if (RenameStmt) return [`${tableName(RenameStmt.relation)}: a renaming, and running services know the old name`];
  if (DropStmt && !["OBJECT_TRIGGER", "OBJECT_POLICY"].includes(DropStmt.removeType)) {
    return [`drops an ${DropStmt.removeType}, which running services may use`];
  }
  if (LockStmt ?? ReindexStmt ?? TruncateStmt ?? VacuumStmt) return ["a LOCK, REINDEX, TRUNCATE or VACUUM"];
  const body = DoStmt && JSON.stringify(DoStmt);
  if (body && /\b(?:ALTER\s+TABLE|CREATE\s+(?:UNIQUE\s+)?INDEX|UPDATE|DELETE|DROP|LOCK|TRUNCATE)\b/i.test(body)) {
    return ["changes tables from inside a DO, where no rule sees it"];
  }
  return [];
}
