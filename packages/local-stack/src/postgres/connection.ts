import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { connectDatabase, type Sql } from "@partner-connect/database";

/** The same order of text on every machine. */
export const INITDB_FLAGS = [
  "--encoding=UTF8",
  "--locale=C",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
] as const;

/** The settings that differ from Postgres's defaults. Not durable, for tests: what was committed is lost if the machine stops. */
export function settings(
  { durable }: { readonly durable: boolean },
  more: Readonly<Record<string, string>> = {},
): string[] {
  const values = {
    max_connections: "300",
    fsync: durable ? "on" : "off",
    full_page_writes: durable ? "on" : "off",
    timezone: "UTC",
    ...more,
  };
  return Object.entries(values).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

export function postgresUrl(host: string, port: number, password: string): string {
  return `postgres://postgres:${password}@${host}:${port}/postgres`;
}

/** @param dataDir where the audit records of `work` are logged; left out: it makes none */
export async function withDatabase<Result>(
  url: string,
  work: (sql: Sql) => Promise<Result>,
  dataDir?: string,
): Promise<Result> {
  const log = dataDir && join(dataDir, "logs", "local-stack.log");
  const onCommit = (record: object) => log && appendFileSync(log, `${JSON.stringify({ audit: true, ...record })}\n`);
  const sql = connectDatabase(url, { name: "local-stack", connections: 1, onCommit });
  return await work(sql).finally(() => sql.end({ timeout: 1 }));
}

export async function postgresAnswers(url: string): Promise<boolean> {
  await withDatabase(url, (sql) => sql`SELECT 1`);
  return true;
}
