import { type Sql, transaction } from "@partner-connect/database";
import type { Statement } from "../authorization/statement.ts";

/** Executes the prepared statement `shape`: EXECUTE under EXPLAIN takes no parameters. */
function execution({ values }: Statement): string {
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

/** The lines of the plan of the executed statement. On Citus the plan of the shop's node is among them. */
async function planOf(sql: Sql, statement: Statement): Promise<string[]> {
  return await transaction(sql, async (inside) => {
    await inside.unsafe(`PREPARE shape AS ${statement.text}`);
    const rows = await inside.unsafe<{ "QUERY PLAN": string }[]>(
      `EXPLAIN (ANALYZE, TIMING OFF) ${execution(statement)}`,
    );
    await inside.unsafe("DEALLOCATE shape");
    return rows.map((row) => row["QUERY PLAN"]);
  });
}

const SCAN = /(?:Seq|Index|Index Only|Bitmap Heap|Tid) Scan .*\(actual .*rows=([\d.]+) loops=(\d+)\)/;
const NODE = /\(actual .*rows=|\(never executed\)/;
const REMOVED = /Rows Removed by Filter: (\d+)/;

/**
 * How many rows and index entries the statement goes through, the ones it throws away too. (By the text, as Citus's plans in JSON are
 * none where they hold the plan of another node.)
 */
export async function rowsTouched(sql: Sql, statement: Statement): Promise<number> {
  let touched = 0;
  let loops = 0;
  for (const line of await planOf(sql, statement)) {
    const scan = SCAN.exec(line);
    if (scan) {
      loops = Number(scan[2]);
      touched += Number(scan[1]) * loops;
    } else if (NODE.test(line)) loops = 0;
    else touched += Number(REMOVED.exec(line)?.[1] ?? 0) * loops;
  }
  return touched;
}
