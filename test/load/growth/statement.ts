import type { Sql } from "@partner-connect/database";
import { client } from "../list/client.ts";
import { type LoggedStatement, loggedStatements } from "../list/statement-log.ts";
import type { GrowthStack, MeasuredShop } from "./kept-stack.ts";

/** What one execution of a statement took. A block has 8 KB. */
export interface Explained {
  readonly ms: number;
  /** Of the table, its indexes and all others that the statement reads: a count that no load of the machine changes. */
  readonly blocks: number;
}

/** The statement that the service sends for `path`. */
export async function statementOf(stack: GrowthStack, shop: MeasuredShop, path: string): Promise<LoggedStatement> {
  const asker = client(stack.apiUrl, `Bearer ${shop.accessToken}`);
  try {
    const ask = async () => void (await asker.get(path));
    const [statement] = await loggedStatements(stack.sql, stack.postgresLog, ask);
    if (!statement) throw new Error(`the log does not show the statement of ${path}`);
    return statement;
  } finally {
    asker.close();
  }
}

/** Prepares the statement, as the service does, and executes it `times` times under EXPLAIN. */
export async function executions(
  sql: Sql,
  { text, parameters }: LoggedStatement,
  times: number,
): Promise<readonly Explained[]> {
  await sql.unsafe("DEALLOCATE ALL");
  await sql.unsafe(`PREPARE page AS ${text}`);
  const literals = parameters.map((value) => `'${value.replaceAll("'", "''")}'`).join(", ");
  const runs: Explained[] = [];
  while (runs.length < times) {
    const [row] = await sql.unsafe<{ "QUERY PLAN": [Plan] }[]>(
      `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) EXECUTE page(${literals})`,
    );
    const [plan] = (row as { "QUERY PLAN": [Plan] })["QUERY PLAN"];
    const blocks = plan.Plan["Shared Hit Blocks"] + plan.Plan["Shared Read Blocks"];
    runs.push({ ms: plan["Execution Time"], blocks });
  }
  return runs;
}

interface Plan {
  readonly Plan: { readonly "Shared Hit Blocks": number; readonly "Shared Read Blocks": number };
  readonly "Execution Time": number;
}
