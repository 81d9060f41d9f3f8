import { connectDatabase, derivedRolePassword, roleUrl, type Sql } from "@partner-connect/database";
import { client } from "../list/client.ts";
import { type LoggedStatement, loggedStatements } from "../list/statement-log.ts";
import type { GrowthStack, MeasuredShop } from "./kept-stack.ts";

/** What one execution of a statement took. A block has 8 KB. */
export interface Explained {
  readonly ms: number;
  /** Of the table, its indexes and all others that the statement reads: a count that no load of the machine changes. */
  readonly blocks: number;
  /** Of these, not in the memory of Postgres. */
  readonly read: number;
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

/** A session as the resource server's, with the settings of its role. */
export function connectAsService(databaseUrl: string): Sql {
  const password = derivedRolePassword(new URL(databaseUrl).password, "resource_server");
  return connectDatabase(roleUrl(databaseUrl, "resource_server", password), { name: "test", connections: 1 });
}

/** Prepares the statement, as the service does, and returns what executes it under EXPLAIN. */
export async function prepare(
  sql: Sql,
  { text }: LoggedStatement,
): Promise<(values: readonly string[]) => Promise<Explained>> {
  await sql.unsafe("DEALLOCATE ALL");
  await sql.unsafe(`PREPARE page AS ${text}`);
  return async (values) => {
    const literals = values.map((value) => `'${value.replaceAll("'", "''")}'`).join(", ");
    const [row] = await sql.unsafe<{ "QUERY PLAN": [Plan] }[]>(
      `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) EXECUTE page(${literals})`,
    );
    const [plan] = (row as { "QUERY PLAN": [Plan] })["QUERY PLAN"];
    const [hit, read] = [plan.Plan["Shared Hit Blocks"], plan.Plan["Shared Read Blocks"]];
    return { ms: plan["Execution Time"], blocks: hit + read, read };
  };
}

interface Plan {
  readonly Plan: { readonly "Shared Hit Blocks": number; readonly "Shared Read Blocks": number };
  readonly "Execution Time": number;
}
