import {
  type ConstructorOptions,
  getConstructionPlans,
  getMigrationPlans,
  PgBoss,
  type Queue,
} from "pg-boss";
import pgBossPackage from "pg-boss/package.json" with { type: "json" };
import { JOB_SCHEMAS, type JobSchema } from "./citus/incoming-jobs.ts";
import { type ListPage, listPage } from "./pool/list-page.ts";
import type { Row, Sql } from "./pool/sql.ts";
import type { ServiceRole } from "./roles/role-password.ts";

/** Jobs that failed for good, with their last output. Nothing works on this queue. */
const FAILED = "failed";

const DAY = 24 * 3600;

/**
 * A killed process's job is due again within a minute, after two missed heartbeats. Completed
 * jobs are deleted after a minute.
 */
const COMMON = {
  deadLetter: FAILED,
  heartbeatSeconds: 30,
  deleteAfterSeconds: 60,
  retentionSeconds: 30 * DAY,
} as const;

/** Retried after 5 s, 10 s, 20 s … to every quarter of an hour, for three days. */
const LATER = { retryLimit: 300, retryDelay: 5, retryBackoff: true, retryDelayMax: 900 } as const;

type Kinds = Readonly<Record<string, Omit<Queue, "name">>>;

const SCHEMAS: Readonly<Record<JobSchema, { readonly role: ServiceRole; readonly kinds: Kinds }>> =
  {
    worker_jobs: {
      role: "worker",
      kinds: {
        mail: { ...COMMON, ...LATER, expireInSeconds: 300 },
        // Per endpoint at most one job waits and one runs. A failed attempt adds the next job
        // itself, so only a killed one is retried.
        webhook: { ...COMMON, policy: "short", expireInSeconds: 60, retryLimit: 100 },
        webhook_retry: { ...COMMON, policy: "short", expireInSeconds: 60, retryLimit: 100 },
        webhook_test: { ...COMMON, policy: "short", expireInSeconds: 60, retryLimit: 3 },
      },
    },
    back_office_jobs: {
      role: "back_office",
      kinds: {
        // Applies the change in the row of directory.test_shops. Per test shop at most one job
        // waits and one runs.
        test_shop: { ...COMMON, ...LATER, policy: "short", expireInSeconds: 600 },
        // Per merchant or shop at most one job waits and one runs.
        erasure: { ...COMMON, ...LATER, policy: "short", expireInSeconds: 4 * 3600 },
        // Regular: at most one job waits or runs.
        used_test_shops: { ...COMMON, ...LATER, policy: "exclusive", expireInSeconds: 600 },
        purge: { ...COMMON, ...LATER, policy: "exclusive", expireInSeconds: 4 * 3600 },
      },
    },
  };

export type { JobResult, JobWithMetadata } from "pg-boss";
export { JOB_SCHEMAS, type JobSchema, startIncomingJobs } from "./citus/incoming-jobs.ts";

/**
 * Installs or updates the queues, and grants each to its role. Needs the owner's role, and a pool
 * of one connection.
 */
export async function installJobs(sql: Sql): Promise<void> {
  for (const [schema, { role, kinds }] of Object.entries(SCHEMAS)) {
    const boss = new PgBoss({ ...options(sql, schema), supervise: false });
    await sql.unsafe(await installStatements(sql, boss, schema));
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
 * A row of pg-boss's table of statements that it runs later, as the owner. We have none, so
 * somebody else has written it.
 */
class ForeignStatementError extends Error {
  override readonly name = "ForeignStatementError";
  readonly code = "FOREIGN_STATEMENT";
  readonly hint =
    "look at the rows and find out who wrote them; run migrate again when they are deleted";
}

/**
 * What creates or updates pg-boss's schema. Indexes are built at once, without the table `bam` of
 * statements that it runs later.
 */
async function installStatements(sql: Sql, boss: PgBoss, schema: string): Promise<string> {
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
 * The key of the job that waits for its time. One that is added by hand has none, so it doesn't
 * wait for that time too.
 */
const REGULAR = "regular";

/**
 * Adds the next job of a kind whose policy is `exclusive`, to be run at `start`, unless there is
 * one.
 */
export async function addRegularJob(
  sql: Sql,
  schema: JobSchema,
  kind: string,
  start: Date,
): Promise<void> {
  await sql`SELECT ${sql(schema)}.add(${kind}, '{}', ${REGULAR}, ${start})`;
}

/**
 * The queues of a schema, for the process that works on them. `start()` and `stop()` it. Errors are
 * emitted as `error`.
 */
export function openJobs(sql: Sql, schema: JobSchema): PgBoss {
  return new PgBoss({
    ...options(sql, schema),
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
  });
}

function options(sql: Sql, schema: string): ConstructorOptions {
  return {
    ...{
      db: queueDatabase(sql),
      schema,
      migrate: false,
      createSchema: false,
      registerInstance: false,
    },
    // Index rebuilds and checks of vacuum need more rights than the role has. Its schedules need
    // the right to create queues.
    ...{ reindex: false, monitorVacuum: false, schedule: false },
  };
}

/**
 * pg-boss on our own pool, so that it leaves a demoted server as every other statement does. Its
 * values are as node-postgres takes them.
 */
function queueDatabase(sql: Sql): NonNullable<ConstructorOptions["db"]> {
  return {
    async executeSql(text, values = []) {
      const transaction = /^\s*BEGIN;([\s\S]*)\bCOMMIT;\s*$/.exec(text);
      const sent = values.map(parameterOf);
      const found = transaction
        ? await sql.begin((tx) => tx.unsafe(transaction[1] ?? ""))
        : await sql.unsafe<Row[]>(text, sent as string[], { prepare: sent.length > 0 });
      // A text of several statements has a result of each.
      return { rows: found.flat() };
    },
  };
}

function parameterOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const elements = value.map((each) => {
    if (each === null || each === undefined) return "NULL";
    const text =
      typeof each === "object" && !(each instanceof Date) ? JSON.stringify(each) : String(each);
    return `"${text.replace(/["\\]/g, "\\$&")}"`;
  });
  return `{${elements.join(",")}}`;
}

export interface FailedJob {
  readonly id: string;
  readonly schema: JobSchema;
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly failedAt: Date;
  readonly attempts: number;
  /** The result of the last attempt. */
  readonly reason: string;
}

/** Jobs that failed for good, by id. Needs the owner's role. */
export async function failedJobs(sql: Sql, page: ListPage = {}): Promise<FailedJob[]> {
  const each = JOB_SCHEMAS.map(
    (
      schema,
    ) => `SELECT id::text, '${schema}' AS schema, source_name AS kind, data, created_on AS "failedAt",
      source_retry_count + 1 AS attempts, coalesce(source_output ->> 'reason', source_output ->> 'message', '') AS reason
    FROM ${schema}.job WHERE name = '${FAILED}'`,
  );
  return await sql<FailedJob[]>`
    SELECT * FROM (${sql.unsafe(each.join(" UNION ALL "))}) AS j WHERE true ${listPage(sql, page, "j.id", ["j.kind", "j.reason"])}`;
}

/** Has the failed jobs run again: all, or one. Returns how many. Needs the owner's role. */
export async function retryJobs(sql: Sql, id: string | null): Promise<number> {
  const counts = JOB_SCHEMAS.map(async (schema) => {
    const rows = await sql.unsafe(
      `WITH taken AS (DELETE FROM ${schema}.job WHERE name = '${FAILED}' AND ($1::text IS NULL OR id::text = $1) RETURNING source_name, data, singleton_key)
      SELECT ${schema}.add(source_name, data, nullif(singleton_key, '${REGULAR}')) FROM taken`,
      [id],
    );
    return rows.count;
  });
  return (await Promise.all(counts)).reduce((all, count) => all + count, 0);
}

export interface JobCounts {
  /** Neither done nor failed. */
  readonly waiting: number;
  /** Seconds since the oldest of them was due for the first time. */
  readonly oldestSeconds: number;
  readonly failed: number;
}

export async function countJobs(
  sql: Sql,
  schema: JobSchema,
): Promise<Readonly<Record<string, JobCounts>>> {
  const rows = await sql.unsafe<(JobCounts & { readonly kind: string })[]>(`
    SELECT q.name AS kind, count(j.id) FILTER (WHERE j.name <> '${FAILED}')::int AS waiting, count(j.id) FILTER (WHERE j.name = '${FAILED}')::int AS failed,
      coalesce(extract(epoch FROM clock_timestamp() - min(CASE j.state WHEN 'retry' THEN j.created_on ELSE least(j.start_after, clock_timestamp()) END)
        FILTER (WHERE j.name <> '${FAILED}')), 0)::float8 AS "oldestSeconds"
    FROM ${schema}.queue q LEFT JOIN ${schema}.job j ON j.state < 'active' AND q.name = coalesce(j.source_name, j.name)
    WHERE q.name <> '${FAILED}' GROUP BY q.name`);
  return Object.fromEntries(rows.map(({ kind, ...counts }) => [kind, counts]));
}
