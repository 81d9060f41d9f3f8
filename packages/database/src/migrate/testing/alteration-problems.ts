import type { Alteration, AlterTableCommand, ColumnDefinition, Constraint } from "./statement-tree.ts";

/** What rewrites the table, reads it whole, or takes away what is read, by the name that Postgres's parser gives it. */
const REFUSED: Readonly<Record<string, string>> = {
  AT_AlterColumnType: "changes a column's type: it rewrites the table, and statements that are prepared fail",
  AT_DropColumn: "drops a column, which running services may read",
  AT_SetNotNull: "SET NOT NULL reads the table whole: ADD CONSTRAINT … NOT NULL … NOT VALID",
  AT_SetAccessMethod: "rewrites the table",
  AT_SetLogged: "rewrites the table",
  AT_SetUnLogged: "rewrites the table",
  AT_SetTableSpace: "copies the table",
  AT_SetExpression: "rewrites the table",
  AT_AddIdentity: "an identity for a column that is there",
  AT_AttachPartition: "reads the partition whole, unless a constraint says what is in it",
};

export function alterationProblems({ cmds }: Alteration): string[] {
  return cmds.flatMap(({ AlterTableCmd }) => commandProblems(AlterTableCmd));
}

function commandProblems({ subtype, name, def }: AlterTableCommand): string[] {
  const refused = REFUSED[subtype];
  if (refused) return [name ? `${name}: ${refused}` : refused];
  if (subtype === "AT_AddConstraint" && def?.Constraint) return constraintProblems(def.Constraint);
  if (subtype === "AT_AddColumn" && def?.ColumnDef) return columnProblems(def.ColumnDef);
  return [];
}

function constraintProblems({ contype, conname = "a constraint", skip_validation, indexname }: Constraint): string[] {
  const isFree = ["CONSTR_PRIMARY", "CONSTR_UNIQUE"].includes(contype) ? indexname !== undefined : skip_validation;
  return isFree ? [] : [`${conname}: reads the table whole under its lock: NOT VALID, or USING INDEX`];
}

/** A new column is free when it is null, or has one value for all rows: Postgres then notes it beside the table. */
function columnProblems({ colname, typeName, constraints = [] }: ColumnDefinition): string[] {
  const problems: string[] = [];
  const all = constraints.map(({ Constraint }) => Constraint);
  if (/serial/.test(typeName?.names?.at(-1)?.String?.sval ?? ""))
    problems.push(`${colname}: serial rewrites the table`);
  const byDefault = all.find(({ contype }) => contype === "CONSTR_DEFAULT");
  if (byDefault && /"FuncCall"/.test(JSON.stringify(byDefault.raw_expr))) {
    problems.push(`${colname}: a default that is computed may rewrite the table`);
  }
  for (const { contype } of all) {
    if (["CONSTR_DEFAULT", "CONSTR_NULL"].includes(contype)) continue;
    if (contype === "CONSTR_NOTNULL" && byDefault) continue;
    problems.push(`${colname}: ${contype} of a new column reads or rewrites the table: add it apart, NOT VALID`);
  }
  return problems;
}
