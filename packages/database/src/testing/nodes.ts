import pRetry from "p-retry";
import { changeDatabaseUrl } from "../address/database-url.ts";
import { connectDatabase } from "../pool/connect.ts";
import type { Sql } from "../pool/sql.ts";

/** The SQLSTATE of `CREATE DATABASE` and `DROP DATABASE` while a process uses the template. */
const IN_USE = "55006";

/** Where the databases of a test run are: one Postgres, or the nodes of a cluster. */
export interface Nodes {
  /** URL of the coordinator, or of the only node. */
  readonly first: string;
  readonly workers: readonly string[];
}

/** URLs of the nodes, as the owner: one, and on a cluster those in `TEST_DATABASE_WORKERS`. */
export function nodesOf(adminUrl: string): Nodes {
  const isOfTheRun = adminUrl === process.env["TEST_DATABASE_URL"];
  const workers: unknown = JSON.parse((isOfTheRun && process.env["TEST_DATABASE_WORKERS"]) || "[]");
  return { first: adminUrl, workers: workers as string[] };
}

export function inDatabase(url: string, name: string): string {
  return changeDatabaseUrl(url, { database: name });
}

/** Runs the work on every node, in the database `name`, side by side. */
export async function onEach(nodes: Nodes, name: string, work: (sql: Sql) => Promise<unknown>) {
  await Promise.all(
    [nodes.first, ...nodes.workers].map((url) => withDatabase(inDatabase(url, name), work)),
  );
}

/** Works with a database by one connection. @param standby accepts a standby */
export async function withDatabase<T>(
  url: string,
  work: (sql: Sql) => PromiseLike<T>,
  standby = false,
): Promise<T> {
  const sql = connectDatabase(url, { name: "test", connections: 1, standby });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Creates a database on each node from the template, with the template's settings of roles. */
export async function createDatabase(nodes: Nodes, name: string, template = "template1") {
  const isCluster = nodes.workers.length > 0;
  await onEach(nodes, "postgres", async (sql) => {
    // A run's Postgres never syncs, so copying files takes half the CPU of logging their pages.
    const strategy = isCluster ? sql`` : sql`STRATEGY file_copy`;
    await onceFree(() => sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(template)} ${strategy}`);
    if (isCluster) await copySettings(sql, template, name);
  });
}

async function copySettings(sql: Sql, from: string, to: string): Promise<void> {
  const statements = await sql<{ statement: string }[]>`
    SELECT format('ALTER ROLE %s IN DATABASE %I SET %s TO %L', coalesce(quote_ident(rolname), 'ALL'), ${to}::text,
      split_part(setting, '=', 1), substr(setting, strpos(setting, '=') + 1)) AS statement
    FROM pg_db_role_setting JOIN pg_database d ON d.oid = setdatabase LEFT JOIN pg_roles r ON r.oid = setrole,
      unnest(setconfig) AS setting
    WHERE datname = ${from}`;
  for (const { statement } of statements) await sql.unsafe(statement);
}

export async function dropDatabase(nodes: Nodes, name: string): Promise<void> {
  await onEach(nodes, "postgres", (sql) =>
    onceFree(() => sql`DROP DATABASE IF EXISTS ${sql(name)} WITH (FORCE)`),
  );
}

async function onceFree(work: () => PromiseLike<unknown>): Promise<void> {
  await pRetry(async () => void (await work()), {
    ...{ retries: 20, minTimeout: 50, factor: 1 },
    shouldRetry: ({ error }) => (error as { code?: string }).code === IN_USE,
  });
}
