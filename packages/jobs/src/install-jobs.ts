import { isOnCitus, type Sql } from "@partner-connect/database";
import { getConstructionPlans, getMigrationPlans, PgBoss } from "pg-boss";
import pgBossPackage from "pg-boss/package.json" with { type: "json" };
import { bossOptions } from "./open-jobs.ts";
import { DAY, FAILED, JOB_SCHEMAS, type JobSchema, QUEUES } from "./queues.ts";

/**
 * Installs or updates the queues, and grants each to its role. On Citus they are on the coordinator,
 * and worker nodes get functions that leave jobs for it. Needs the owner's role, a pool of one
 * connection, and no concurrent call.
 */
export async function installJobs(sql: Sql): Promise<void> {
  if (!(await isOnCitus(sql))) return await installQueues(sql);
  await sql`SET citus.enable_ddl_propagation = off`;
  await installQueues(sql);
  await sql`SET citus.enable_ddl_propagation = on`;
  const distributed =
    await sql`SELECT FROM pg_dist_partition WHERE logicalrelid = 'oauth.incoming_worker_jobs'::regclass`;
  if (distributed.length > 0) await installAddOnWorkers(sql);
}

async function installQueues(sql: Sql): Promise<void> {
  for (const [schema, { role, kinds }] of Object.entries(QUEUES)) {
    const boss = new PgBoss({ ...bossOptions(sql, schema), supervise: false });
    await sql.unsafe(await schemaStatements(sql, boss, schema));
    await boss.start();
    await boss.createQueue(FAILED, { retentionSeconds: 30 * DAY });
    for (const [kind, settings] of Object.entries(kinds)) {
      await boss.createQueue(kind, settings);
      const { policy, partition, ...changeable } = settings;
      await boss.updateQueue(kind, changeable);
    }
    await boss.stop({ graceful: false });
    await sql.unsafe(`
      REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM PUBLIC, ${role};
      REVOKE ALL ON ALL ROUTINES IN SCHEMA ${schema} FROM PUBLIC, ${role};
      GRANT USAGE ON SCHEMA ${schema} TO ${role};
      GRANT EXECUTE ON FUNCTION ${schema}.job_now TO ${role};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.job, ${schema}.job_common TO ${role};
      GRANT SELECT, UPDATE (flow_on, monitor_backoff_on) ON ${schema}.version TO ${role};
      GRANT SELECT, UPDATE (deferred_count, blocked_count, queued_count, ready_count, active_count, failed_count, total_count, retained_count,
        retained_on, ready_history, singletons_active, monitor_claim_on, monitor_on, maintain_on) ON ${schema}.queue TO ${role};
      GRANT SELECT, DELETE ON ${schema}.job_dependency, ${schema}.instance TO ${role};
      GRANT UPDATE (stopped_on) ON ${schema}.instance TO ${role}; -- locks rows
      CREATE OR REPLACE FUNCTION ${schema}.add(kind text, data jsonb, key text DEFAULT NULL, start timestamptz DEFAULT now())
      RETURNS void LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
        INSERT INTO ${schema}.job (name, data, singleton_key, group_id, start_after, keep_until, policy, retry_limit, retry_delay, retry_backoff,
          retry_delay_max, expire_seconds, heartbeat_seconds, deletion_seconds, dead_letter)
        SELECT name, add.data, add.key, add.key, add.start, add.start + retention_seconds * interval '1 second', policy, retry_limit, retry_delay,
          retry_backoff, retry_delay_max, expire_seconds, heartbeat_seconds, deletion_seconds, dead_letter
        FROM ${schema}.queue WHERE name = add.kind ON CONFLICT DO NOTHING
      $$;
      REVOKE EXECUTE ON FUNCTION ${schema}.add FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION ${schema}.add TO ${role}`);
  }
}

/**
 * The error for a row in `bam`, pg-boss's table of statements to run later, which we never use:
 * somebody else has written it, and it would run as the owner.
 */
class ForeignStatementError extends Error {
  override readonly name = "ForeignStatementError";
  readonly code = "FOREIGN_STATEMENT";
  readonly hint = "find out who wrote the rows, delete them, and run migrate again";
}

/** SQL that creates or updates pg-boss's schema. Indexes are built at once, not later by `bam`. */
async function schemaStatements(sql: Sql, boss: PgBoss, schema: string): Promise<string> {
  if (!(await boss.isInstalled())) return getConstructionPlans(schema);
  const later = await sql.unsafe(`SELECT FROM ${schema}.bam LIMIT 1`);
  if (later.length > 0)
    throw new ForeignStatementError(`the table ${schema}.bam has rows, and should be empty`);
  const version = (await boss.schemaVersion()) ?? 0;
  return version < pgBossPackage.pgboss.schema
    ? getMigrationPlans(schema, version).replaceAll(" CONCURRENTLY", "")
    : "";
}

/**
 * SQL for a Citus worker node: `add` leaves the job in a table of `oauth`, so that no transaction
 * of a shop needs the coordinator.
 */
const workerStatements = (schema: JobSchema) => [
  `CREATE SCHEMA IF NOT EXISTS ${schema}`,
  `CREATE OR REPLACE FUNCTION ${schema}.add(kind text, data jsonb, key text DEFAULT NULL, start timestamptz DEFAULT now())
  RETURNS void LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $add$
    INSERT INTO oauth.incoming_${schema} (kind, data, key, start) VALUES (add.kind, add.data, add.key, add.start)
  $add$`,
  `REVOKE EXECUTE ON FUNCTION ${schema}.add FROM PUBLIC`,
];

/**
 * On each Citus worker node, replaces every queue's `add` with one that leaves the job for the
 * coordinator.
 */
async function installAddOnWorkers(sql: Sql): Promise<void> {
  for (const statement of JOB_SCHEMAS.flatMap(workerStatements)) {
    const command = `SET citus.enable_ddl_propagation TO off; ${statement}`;
    const [failed] = await sql<{ result: string }[]>`
      SELECT result FROM run_command_on_workers(${command}::text) WHERE NOT success`;
    if (failed) throw new Error(`a Citus worker node can't add jobs: ${failed.result}`);
  }
}
