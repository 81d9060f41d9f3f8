/** A statement in parts, between which its parameters and further parts stand. */
export interface StatementParts {
  readonly strings: readonly string[];
  readonly args: readonly unknown[];
}

const TABLES = /\b(?:oauth|survey|directory)\.[a-z_]+/g;
/** Not the UPDATE of a lock: `FOR UPDATE`, `FOR NO KEY UPDATE`. */
const OPERATION = /\b(SELECT|INSERT|(?<!\bFOR |\bKEY )UPDATE|DELETE|MERGE|COPY|LOCK|SET|CREATE|ALTER|DROP|TRUNCATE)\b/g;
/** Where a statement reads and changes, the change is the point of it. */
const CHANGES = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);
const MOST_TABLES = 4;

const names = new WeakMap<object, string>();

/** What a statement does and to which tables, such as `UPDATE oauth.connections`: words of our own source, never a value. */
export function statementName(statement: StatementParts): string {
  const known = names.get(statement.strings);
  if (known) return known;
  const text = textOf(statement);
  const operations = [...text.matchAll(OPERATION)].map(([operation]) => operation);
  const operation = operations.find((operation) => CHANGES.has(operation)) ?? operations[0] ?? "SQL";
  const tables = [...new Set(text.match(TABLES))].slice(0, MOST_TABLES);
  const name = [operation, ...tables].join(" ");
  names.set(statement.strings, name);
  return name;
}

function textOf({ strings, args }: StatementParts): string {
  const parts = args.filter((arg): arg is StatementParts => Array.isArray((arg as StatementParts | null)?.strings));
  return [...strings, ...parts.map(textOf)].join(" ");
}
