import { type Sql, transaction } from "@partner-connect/database";
import type { Statement } from "../authorization/statement.ts";

/** The statement as a query of literals, prepared as `shape`: `EXECUTE` takes no parameters. */
export function execution({ values }: Statement): string {
  const literals = values.map((value) =>
    typeof value === "number" ? value : Buffer.isBuffer(value) ? `'\\x${value.toString("hex")}'` : quoted(value),
  );
  return `EXECUTE shape(${literals.join(", ")})`;
}

function quoted(value: string | readonly string[] | null): string {
  if (value === null) return "NULL";
  if (typeof value !== "string") return `ARRAY[${value.map(quoted).join(", ")}]::text[]`;
  return `'${value.replaceAll("'", "''")}'`;
}

/** Postgres's plan of the statement, as JSON. `options` of EXPLAIN, such as `ANALYZE, TIMING OFF`. */
export async function planOf(sql: Sql, statement: Statement, options = "COSTS OFF"): Promise<unknown> {
  return await transaction(sql, async (inside) => {
    await inside.unsafe(`PREPARE shape AS ${statement.text}`);
    const [row] = await inside.unsafe<{ "QUERY PLAN": unknown }[]>(
      `EXPLAIN (${options}, FORMAT JSON) ${execution(statement)}`,
    );
    await inside.unsafe("DEALLOCATE shape");
    return row?.["QUERY PLAN"];
  });
}

/** How many rows and index entries the statement goes through, the ones it throws away too. On Citus: on the shop's node. */
export async function rowsTouched(sql: Sql, statement: Statement): Promise<number> {
  return touched(await planOf(sql, statement, "ANALYZE, TIMING OFF"));
}

interface PlanNode {
  readonly "Relation Name"?: string;
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
}

/** Wherever in the plan its nodes are: Citus has the plan of the shop's node within its own. */
function touched(part: unknown): number {
  if (typeof part !== "object" || part === null) return 0;
  const node = part as PlanNode;
  const own = node["Relation Name"] ? (node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0) : 0;
  const below = Object.values(part).reduce((sum: number, child) => sum + touched(child), 0);
  return own * (node["Actual Loops"] ?? 0) + below;
}
