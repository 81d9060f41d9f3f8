import { setTimeout as sleep } from "node:timers/promises";
import { isOnCitus, type Sql, transaction } from "@partner-connect/database";
import { addJob } from "./jobs.ts";
import type { JobSchema } from "./queues.ts";

/** Milliseconds between two rounds. */
const PAUSE_MS = 500;

/** Moves jobs that were added on Citus worker nodes to the coordinator's queue, until `close`. */
export function startMovingIncomingJobs(sql: Sql, schema: JobSchema): { close(): Promise<void> } {
  const end = new AbortController();
  const { signal } = end;
  const table = sql(`oauth.incoming_${schema}`);
  async function move(): Promise<void> {
    const found = await sql`SELECT FROM ${table} LIMIT 1`;
    if (found.length === 0) return;
    await transaction(sql, async (tx) => {
      const jobs = await tx<{ kind: string; data: object; key: string | null; start: Date }[]>`
        DELETE FROM ${table} RETURNING kind, data, key, start`;
      for (const { kind, data, key, start } of jobs)
        await addJob(tx, schema, kind, data, key, start);
    });
  }
  async function run(): Promise<void> {
    let isCluster: boolean | null = null;
    while (!signal.aborted && isCluster !== false) {
      isCluster ??= await isOnCitus(sql).catch(() => null);
      // Moving fails while a node is down, which /readyz and the jobs' errors report.
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
