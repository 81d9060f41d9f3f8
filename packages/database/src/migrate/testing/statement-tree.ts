/** What the rules look at in the parser's trees. https://github.com/pganalyze/libpg_query */
export interface Statement {
  readonly AlterTableStmt?: Alteration;
  readonly CreateStmt?: { readonly relation: Relation };
  readonly DeleteStmt?: { readonly relation: Relation };
  readonly DoStmt?: object;
  readonly DropStmt?: { readonly removeType: string };
  readonly IndexStmt?: { readonly relation: Relation };
  readonly InsertStmt?: {
    readonly relation: Relation;
    readonly selectStmt?: { readonly SelectStmt?: { readonly valuesLists?: object } };
  };
  readonly LockStmt?: object;
  readonly ReindexStmt?: object;
  readonly RenameStmt?: { readonly relation?: Relation };
  readonly TruncateStmt?: object;
  readonly UpdateStmt?: { readonly relation: Relation };
  readonly VacuumStmt?: object;
}

export interface Alteration {
  readonly relation: Relation;
  readonly cmds: readonly { readonly AlterTableCmd: AlterTableCommand }[];
}

export interface AlterTableCommand {
  readonly subtype: string;
  readonly name?: string;
  readonly def?: { readonly ColumnDef?: ColumnDefinition; readonly Constraint?: Constraint };
}

export interface ColumnDefinition {
  readonly colname: string;
  readonly typeName?: { readonly names?: readonly { readonly String?: { readonly sval?: string } }[] };
  readonly constraints?: readonly { readonly Constraint: Constraint }[];
}

export interface Constraint {
  readonly contype: string;
  readonly conname?: string;
  readonly skip_validation?: boolean;
  readonly indexname?: string;
  readonly raw_expr?: object;
}

interface Relation {
  readonly schemaname?: string;
  readonly relname: string;
}

export function tableName(relation: Relation | undefined): string {
  return relation ? [relation.schemaname, relation.relname].filter(Boolean).join(".") : "?";
}
