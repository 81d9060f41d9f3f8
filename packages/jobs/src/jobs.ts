import { type ListPage, listPageSql, type Queries, type Sql } from "@partner-connect/database";
import { FAILED, JOB_SCHEMAS, type JobSchema } from "./queues.ts";

/**
 * Adds a job in the caller's transaction, unless the kind's policy admits no other job with this
 * key. Works on every node of a Citus cluster.
 */
export async function addJob(
  sql: Queries,
  schema: JobSchema,
  kind: string,
  data: object,
  key: string | null = null,
  start: Date | null = null,
): Promise<void> {
  await sql`
    SELECT ${sql(schema)}.add(${kind}, ${sql.json(data as never)}, ${key}, coalesce(${start}, now()))`;
}

/**
 * The key of regular jobs, of which at most one per kind waits or runs (policy `exclusive`).
 * A job that an operator adds has no key, so it runs besides the regular one.
 */
export const REGULAR = "regular";

export interface FailedJob {
  readonly id: string;
  readonly schema: JobSchema;
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly failedAt: Date;
  readonly attempts: number;
  /** The error of the last attempt; empty if none was recorded. */
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
    SELECT * FROM (${sql.unsafe(each.join(" UNION ALL "))}) AS j WHERE true ${listPageSql(sql, page, "j.id", ["j.kind", "j.reason"])}`;
}

/**
 * Adds one failed job again, or all of them if `id` is null. Returns their number. Needs the owner's
 * role.
 */
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

interface JobCounts {
  /** Jobs that wait to run, for the first time or again. Running jobs are not counted. */
  readonly waiting: number;
  /** Seconds since the oldest waiting job was first due; 0 if none waits. */
  readonly oldestSeconds: number;
  readonly failed: number;
}

export async function countJobs(
  sql: Sql,
  schema: JobSchema,
): Promise<Readonly<Record<string, JobCounts>>> {
  const rows = await sql.unsafe<(JobCounts & { readonly kind: string })[]>(`
    SELECT q.name AS kind, count(j.id) FILTER (WHERE j.name <> '${FAILED}')::int AS waiting, count(j.id) FILTER (WHERE j.name = '${FAILED}')::int AS failed,
      coalesce(extract(epoch FROM clock_timestamp() - min(least(j.keep_until - q.retention_seconds * interval '1 second', clock_timestamp()))
        FILTER (WHERE j.name <> '${FAILED}')), 0)::float8 AS "oldestSeconds"
    FROM ${schema}.queue q LEFT JOIN ${schema}.job j ON j.state < 'active' AND q.name = coalesce(j.source_name, j.name)
    WHERE q.name <> '${FAILED}' GROUP BY q.name`);
  return Object.fromEntries(rows.map(({ kind, ...counts }) => [kind, counts]));
}
