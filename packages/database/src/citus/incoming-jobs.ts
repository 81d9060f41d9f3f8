import { setTimeout as sleep } from "node:timers/promises";
import type { Queries, Sql } from "../pool/sql.ts";
import { transaction } from "../pool/transaction.ts";
import { isOnCitus } from "./settings.ts";

/** On workers, jobs are inserted into `oauth.incoming_jobs`, so that no transaction of a shop needs the coordinator. */
const ON_WORKERS = [
  "CREATE SCHEMA IF NOT EXISTS worker_jobs",
  `CREATE OR REPLACE FUNCTION worker_jobs.add(kind text, data jsonb, key text DEFAULT NULL, start timestamptz DEFAULT now())
  RETURNS void LANGUAGE sql SET search_path = '' AS $add$
    INSERT INTO oauth.incoming_jobs (kind, data, key, start) VALUES (add.kind, add.data, add.key, add.start)
  $add$`,
  "REVOKE EXECUTE ON FUNCTION worker_jobs.add FROM PUBLIC",
];

/** Creates the workers' variant of `worker_jobs.add`. Idempotent. Needs the owner's role and distributed tables. */
export async function addJobsOnWorkers(sql: Queries): Promise<void> {
  for (const statement of ON_WORKERS) {
    const command = `SET citus.enable_ddl_propagation TO off; ${statement}`;
    const [failed] = await sql<{ result: string }[]>`
      SELECT result FROM run_command_on_workers(${command}::text) WHERE NOT success`;
    if (failed) throw new Error(`a worker of the cluster can't add jobs: ${failed.result}`);
  }
}

const PAUSE_MS = 500;

/** On a cluster's coordinator, moves jobs from the workers to the queue until `close`. */
export function startIncomingJobs(sql: Sql): { close(): Promise<void> } {
  const end = new AbortController();
  const { signal } = end;
  async function move(): Promise<void> {
    const found = await sql`SELECT FROM oauth.incoming_jobs LIMIT 1`;
    if (found.length === 0) return;
    await transaction(sql, async (tx) => {
      const jobs = await tx<{ kind: string; data: object; key: string | null; start: Date }[]>`
        DELETE FROM oauth.incoming_jobs RETURNING kind, data, key, start`;
      for (const { kind, data, key, start } of jobs) {
        await tx`SELECT worker_jobs.add(${kind}, ${tx.json(data)}, ${key}, ${start})`;
      }
    });
  }
  async function run(): Promise<void> {
    let isCluster: boolean | null = null;
    while (!signal.aborted && isCluster !== false) {
      isCluster ??= await isOnCitus(sql).catch(() => null);
      if (isCluster) await move().catch(() => {}); // a node is down, which /readyz and the jobs' errors report
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
