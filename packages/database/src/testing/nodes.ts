import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { changeDatabaseUrl } from "../address/database-url.ts";

/** What `DROP DATABASE` says while something of Citus's is still there. */
const IN_USE = "55006";
const ATTEMPTS = 20;

/** Where the databases of a test run are: one Postgres, or the nodes of a Citus cluster. */
export interface Nodes {
  /** The coordinator, or the only one. */
  readonly first: string;
  readonly workers: readonly string[];
}

/** Of these, as the owner of each. `CITUS_URL` and `CITUS_WORKERS` name a cluster; every other Postgres is one by itself. */
export function nodesOf(adminUrl: string): Nodes {
  const isCluster = adminUrl === process.env["CITUS_URL"];
  const workers: unknown = JSON.parse((isCluster && process.env["CITUS_WORKERS"]) || "[]");
  return { first: adminUrl, workers: workers as string[] };
}

export function inDatabase(url: string, name: string): string {
  return changeDatabaseUrl(url, { database: name });
}

/** Runs the work on every node, in the database `name`, side by side. */
export async function onEach(nodes: Nodes, name: string, work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  await Promise.all([nodes.first, ...nodes.workers].map((url) => withDatabase(inDatabase(url, name), work)));
}

export async function withDatabase<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

export async function createDatabase(nodes: Nodes, name: string, template = "template1"): Promise<void> {
  await onEach(nodes, "postgres", (sql) => sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(template)}`);
}

export async function dropDatabase(nodes: Nodes, name: string): Promise<void> {
  await onEach(nodes, "postgres", async (sql) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await sql`DROP DATABASE IF EXISTS ${sql(name)} WITH (FORCE)`;
      } catch (error) {
        if ((error as { code?: string }).code !== IN_USE || attempt === ATTEMPTS) throw error;
        await sleep(50);
      }
    }
  });
}
