import { connectDatabase, type Sql } from "@partner-connect/database";

/** Of the cluster's owner. */
export function postgresUrl(host: string, port: number, password: string): string {
  return `postgres://postgres:${password}@${host}:${port}/postgres`;
}

/** Does `work` on one connection, which ends with it. */
export async function withDatabase<Result>(url: string, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  const sql = connectDatabase(url, { name: "local-stack", connections: 1 });
  return await work(sql).finally(() => sql.end({ timeout: 1 }));
}

export async function postgresAnswers(url: string): Promise<boolean> {
  await withDatabase(url, (sql) => sql`SELECT 1`);
  return true;
}
