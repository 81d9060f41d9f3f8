import { setTimeout as sleep } from "node:timers/promises";
import type { Queries, Sql } from "../pool/sql.ts";
import { transaction } from "../pool/transaction.ts";
import { isOnCitus } from "./settings.ts";

/** A queue schema per entry point of the worker, which only its role may use. */
export const JOB_SCHEMAS = ["worker_jobs", "back_office_jobs"] as const;
export type JobSchema = (typeof JOB_SCHEMAS)[number];

/**
 * Adding a job on a worker leaves it in a table of `oauth`, so that no transaction of a shop needs
 * the coordinator.
 */
const onWorkers = (schema: JobSchema) => [
  `CREATE SCHEMA IF NOT EXISTS ${schema}`,
  `CREATE OR REPLACE FUNCTION ${schema}.add(kind text, data jsonb, key text DEFAULT NULL, start timestamptz DEFAULT now())
  RETURNS void LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $add$
    INSERT INTO oauth.incoming_${schema} (kind, data, key, start) VALUES (add.kind, add.data, add.key, add.start)
  $add$`,
  `REVOKE EXECUTE ON FUNCTION ${schema}.add FROM PUBLIC`,
];

/**
 * Makes the workers' form of each queue's `add`. Safe to repeat. Needs the owner's role, and tables
 * that are distributed.
 */
export async function addJobsOnWorkers(sql: Queries): Promise<void> {
  for (const statement of JOB_SCHEMAS.flatMap(onWorkers)) {
    const command = `SET citus.enable_ddl_propagation TO off; ${statement}`;
    const [failed] = await sql<{ result: string }[]>`
      SELECT result FROM run_command_on_workers(${command}::text) WHERE NOT success`;
    if (failed) throw new Error(`a worker of the cluster can't add jobs: ${failed.result}`);
  }
}

const PAUSE_MS = 500;

/**
 * On a cluster's coordinator, moves the jobs that were added on its workers to the queue, until
 * `close`.
 */
export function startIncomingJobs(sql: Sql, schema: JobSchema): { close(): Promise<void> } {
  const end = new AbortController();
  const { signal } = end;
  const table = sql(`oauth.incoming_${schema}`);
  async function move(): Promise<void> {
    const found = await sql`SELECT FROM ${table} LIMIT 1`;
    if (found.length === 0) return;
    await transaction(sql, async (tx) => {
      const jobs = await tx<{ kind: string; data: object; key: string | null; start: Date }[]>`
        DELETE FROM ${table} RETURNING kind, data, key, start`;
      for (const { kind, data, key, start } of jobs) {
        await tx`SELECT ${tx(schema)}.add(${kind}, ${tx.json(data)}, ${key}, ${start})`;
      }
    });
  }
  async function run(): Promise<void> {
    let isCluster: boolean | null = null;
    while (!signal.aborted && isCluster !== false) {
      isCluster ??= await isOnCitus(sql).catch(() => null);
      // a node is down, which /readyz and the jobs' errors report
      if (isCluster) await move().catch(() => {});
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => {});
    }
  }
  const running = run();
  return {
    async close() {
      end.abort();
      await running;
    },
  };
}
