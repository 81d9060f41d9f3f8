import type { Sql } from "@partner-connect/database";
import { type Check, judge, type Problem, problemIf } from "./system.ts";

/** Checks background work: the relay, jobs, the purge, and the months ahead. */
export const jobs: Check = async (system) => {
  const sql = await system.sql();
  const checks = [relayProblems(sql), queueProblems(sql), purgeProblems(sql), monthProblems(sql)];
  const problems = (await Promise.all(checks)).flat();
  return judge("changes are relayed, and nothing waits or fails", problems);
};

/** A note is normally relayed within a second. If a note waits this long, the relay has stopped. */
const RELAYED_WITHIN_SECONDS = 60;

async function relayProblems(sql: Sql): Promise<Problem[]> {
  const [{ oldest }] = await sql<[{ oldest: number | null }]>`
    SELECT extract(epoch FROM clock_timestamp() - min(at))::float8 AS oldest FROM oauth.change_notes`;
  const age = oldest ?? 0;
  const why =
    "start a worker; if one runs, its log says why a round fails; after an import of many shops, or a migration, wait";
  return problemIf(
    age >= RELAYED_WITHIN_SECONDS,
    `changes wait for ${Math.round(age)} s to be relayed`,
    why,
  );
}

/** A job is normally done within seconds, or later if a mail server asks us to come back. */
const DONE_WITHIN_SECONDS = 600;

async function queueProblems(sql: Sql): Promise<Problem[]> {
  const { countJobs, JOB_SCHEMAS } = await import("@partner-connect/jobs");
  const counted = await Promise.all(JOB_SCHEMAS.map((schema) => countJobs(sql, schema)));
  const look = "the log of the worker, or the back office, says why one is not done";
  const retry = "'partner-connect job list' says why, 'job retry' runs them again";
  return counted
    .flatMap(Object.entries<(typeof counted)[0][string]>)
    .flatMap(([kind, { waiting, oldestSeconds, failed }]) => {
      const waits = `jobs ${kind} wait: ${waiting}, the oldest for ${Math.round(oldestSeconds)} s`;
      return [
        ...problemIf(oldestSeconds > DONE_WITHIN_SECONDS, waits, look),
        ...problemIf(failed > 0, `jobs ${kind} failed: ${failed}`, retry),
      ];
    });
}

/** The purge runs each night, and leaves a record even if it deleted nothing. */
const PURGED_WITHIN_DAYS = 7;

async function purgeProblems(sql: Sql): Promise<Problem[]> {
  const [{ due }] = await sql<[{ due: boolean }]>`
    SELECT NOT EXISTS (SELECT FROM directory.audit_log WHERE event = 'purge' AND details ->> 'completed' = 'true' AND at > since)
      AND EXISTS (SELECT FROM public.schema_version WHERE run_at < since) AS due
    FROM (SELECT now() - make_interval(days => ${PURGED_WITHIN_DAYS}) AS since) AS week`;
  const found = `the purge has not run for ${PURGED_WITHIN_DAYS} days`;
  return problemIf(due, found, "start the back office; if one runs, its log says why");
}

/** `migrate` and the nightly purge create 13 months ahead. */
const LEAST_MONTHS = 2;

async function monthProblems(sql: Sql): Promise<Problem[]> {
  const { monthSpans } = await import("@partner-connect/audit");
  const remedy = "partner-connect migrate, and see why the back office does not make them";
  return (await monthSpans(sql)).flatMap(({ table, monthsAhead }) =>
    problemIf(
      monthsAhead < LEAST_MONTHS,
      `${table} has ${Math.max(monthsAhead, 0)} months ahead`,
      remedy,
    ),
  );
}
