import type { Sql } from "@partner-connect/database";
import { type Check, findingOf, type Problem, problemIf } from "./system.ts";

/** Checks background work: the relay, jobs, the purge, and the monthly partitions ahead. */
export const checkJobs: Check = async (system) => {
  const sql = await system.sql();
  const checks = [relayProblems(sql), queueProblems(sql), purgeProblems(sql), monthProblems(sql)];
  const problems = (await Promise.all(checks)).flat();
  return findingOf("changes are relayed, and no job waits or fails", problems);
};

/** Age at which a change note means that the relay has stopped: normally it waits a second. */
const RELAYED_WITHIN_SECONDS = 60;

async function relayProblems(sql: Sql): Promise<Problem[]> {
  const [{ oldest }] = await sql<[{ oldest: number | null }]>`
    SELECT extract(epoch FROM clock_timestamp() - min(at))::float8 AS oldest FROM oauth.change_notes`;
  const age = oldest ?? 0;
  const why =
    "start a worker; if one runs, its log says why the relay fails; after an import of many shops or a migration, wait";
  return problemIf(
    age >= RELAYED_WITHIN_SECONDS,
    `changes wait for ${Math.round(age)} s to be relayed`,
    why,
  );
}

/** Age at which a waiting job is a problem: most are done within seconds, mail after retries. */
const DONE_WITHIN_SECONDS = 600;

async function queueProblems(sql: Sql): Promise<Problem[]> {
  const { countJobs, JOB_SCHEMAS } = await import("@partner-connect/jobs");
  const counted = await Promise.all(JOB_SCHEMAS.map((schema) => countJobs(sql, schema)));
  const waitingLog = "the log of the worker or the back office says why";
  const retry = "'partner-connect job list' shows the reason, 'job retry' runs them again";
  return counted
    .flatMap(Object.entries<(typeof counted)[0][string]>)
    .flatMap(([kind, { waiting, oldestSeconds, failed }]) => {
      const waits = `jobs ${kind} wait: ${waiting}, the oldest for ${Math.round(oldestSeconds)} s`;
      return [
        ...problemIf(oldestSeconds > DONE_WITHIN_SECONDS, waits, waitingLog),
        ...problemIf(failed > 0, `jobs ${kind} failed: ${failed}`, retry),
      ];
    });
}

/** Maximum days since a purge, which runs each night and is recorded even if it deletes nothing. */
const PURGED_WITHIN_DAYS = 7;

async function purgeProblems(sql: Sql): Promise<Problem[]> {
  const [{ due }] = await sql<[{ due: boolean }]>`
    SELECT NOT EXISTS (SELECT FROM directory.audit_log WHERE event = 'purge' AND details ->> 'completed' = 'true' AND at > since)
      AND EXISTS (SELECT FROM public.schema_version WHERE run_at < since) AS due
    FROM (SELECT now() - make_interval(days => ${PURGED_WITHIN_DAYS}) AS since) AS week`;
  const found = `the purge has not run for ${PURGED_WITHIN_DAYS} days`;
  return problemIf(due, found, "start the back office; if one runs, its log says why");
}

/** Minimum of monthly partitions ahead. `migrate` and the nightly purge create 13. */
const LEAST_MONTHS = 2;

async function monthProblems(sql: Sql): Promise<Problem[]> {
  const { monthSpans } = await import("@partner-connect/audit");
  const remedy = "partner-connect migrate, and read in the back office's log why it creates none";
  return (await monthSpans(sql)).flatMap(({ table, monthsAhead }) =>
    problemIf(
      monthsAhead < LEAST_MONTHS,
      `${table} has partitions for only ${Math.max(monthsAhead, 0)} months ahead`,
      remedy,
    ),
  );
}
