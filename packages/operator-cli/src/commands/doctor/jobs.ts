import type { Sql } from "@partner-connect/database";
import type { JobCounts } from "@partner-connect/database/jobs";
import { told } from "./ask-replicas.ts";
import { type Finding, judge, type Problem, type System, when } from "./system.ts";

/** What runs in the background, or by the clock: the relay, jobs, webhooks, the purge, and the months ahead. */
export async function jobs(system: System): Promise<Finding> {
  const sql = await system.sql();
  const [relay, mail, queue, purge, months, webhooks] = await Promise.all([
    relayProblems(sql),
    mailProblems(system),
    queueProblems(sql),
    purgeProblems(sql),
    monthProblems(sql),
    failingWebhooks(sql),
  ]);
  return judge(
    "changes are relayed, and nothing waits or fails",
    [...relay, ...mail, ...queue, ...purge, ...months],
    webhooks,
  );
}

/** Another worker takes the lease of a killed one within two; a machine that does much may take a little longer. */
const TAKEN_WITHIN_SECONDS = 5;
/** A note is relayed within a second. */
const RELAYED_WITHIN_SECONDS = 60;

async function relayProblems(sql: Sql): Promise<Problem[]> {
  const [row] = await sql<{ leased: number | null; oldest: number | null }[]>`
    SELECT (SELECT extract(epoch FROM clock_timestamp() - nullif(until, '-infinity')) FROM oauth.leases WHERE id = 'relay')::float8 AS leased,
      (SELECT extract(epoch FROM clock_timestamp() - min(at)) FROM oauth.change_notes)::float8 AS oldest`;
  const leased = row?.leased ?? null;
  const oldest = row?.oldest ?? 0;
  if (leased === null || leased >= TAKEN_WITHIN_SECONDS) {
    const found = `nobody has relayed changes ${leased === null ? "yet" : `for ${Math.round(leased)} s`}`;
    return [[found, "start a worker; if one runs, its /readyz and its log say why it does not relay"]];
  }
  const why = "the log of the workers says why a round fails; after an import of many shops, or a migration, wait";
  return when(oldest >= RELAYED_WITHIN_SECONDS, `changes wait for ${Math.round(oldest)} s to be relayed`, why);
}

/** An authorization server says whether it offers mail, a worker whether it sends it. */
interface MailReport {
  readonly offers?: boolean;
  readonly sends?: boolean;
}

/** The pages offer mail where the worker sends it, and nowhere else. */
async function mailProblems({ answers }: System): Promise<Problem[]> {
  const reports = told(await answers("/mail")).map(({ name, text }) => ({ name, ...(JSON.parse(text) as MailReport) }));
  const isOn = reports.some(({ offers, sends }) => offers || sends);
  const set = "set MAIL_FROM for the authorization servers, and SMTP_URL and MAIL_FROM for the worker";
  return reports.flatMap(({ name, offers, sends }): Problem[] => {
    if (isOn && offers === false) return [[`${name} offers no mail, as MAIL_FROM is not set`, set]];
    return isOn && sends === false ? [[`${name} drops mails, as SMTP_URL is not set`, set]] : [];
  });
}

/** A job is done within seconds; a mail server may ask us to come back later. */
const DONE_WITHIN_SECONDS = 600;

async function queueProblems(sql: Sql): Promise<Problem[]> {
  const { countJobs, JOB_SCHEMAS } = await import("@partner-connect/database/jobs");
  const counted = await Promise.all(JOB_SCHEMAS.map((schema) => countJobs(sql, schema)));
  return counted
    .flatMap(Object.entries<JobCounts>)
    .flatMap(([kind, { waiting, oldestSeconds, failed }]): Problem[] => [
      ...when(
        oldestSeconds > DONE_WITHIN_SECONDS,
        `jobs ${kind} wait: ${waiting}, the oldest for ${Math.round(oldestSeconds)} s`,
        "the log of the worker, or the back office, says why one is not done",
      ),
      ...when(
        failed > 0,
        `jobs ${kind} failed: ${failed}`,
        "'partner-connect job list' says why, 'job retry' runs them again",
      ),
    ]);
}

/** It runs each night, and leaves a record even where nothing was to be deleted. */
const PURGED_WITHIN_DAYS = 7;

async function purgeProblems(sql: Sql): Promise<Problem[]> {
  const [row] = await sql<{ due: boolean }[]>`
    SELECT NOT EXISTS (SELECT FROM directory.audit_log WHERE event = 'purge' AND details ->> 'completed' = 'true' AND at > since)
      AND EXISTS (SELECT FROM public.schema_version WHERE run_at < since) AS due
    FROM (SELECT now() - make_interval(days => ${PURGED_WITHIN_DAYS}) AS since) AS week`;
  const found = `the purge has not run for ${PURGED_WITHIN_DAYS} days`;
  return when(row?.due === true, found, "start the back office; if one runs, its log says why");
}

/** `migrate` makes 13, and so does the purge of each night. */
const LEAST_MONTHS = 2;

async function monthProblems(sql: Sql): Promise<Problem[]> {
  const { monthSpans } = await import("@partner-connect/audit");
  const spans = await monthSpans(sql);
  return spans
    .filter(({ monthsAhead }) => monthsAhead < LEAST_MONTHS)
    .map(({ table, monthsAhead }) => [
      `${table} has ${Math.max(monthsAhead, 0)} months ahead`,
      "partner-connect migrate, and see why the back office does not make them",
    ]);
}

/** Their partner's servers refuse the hints, so they are no fault of ours. */
const FAILING_HOURS = 24;

async function failingWebhooks(sql: Sql): Promise<Problem[]> {
  const [row] = await sql<{ failing: number }[]>`
    SELECT count(*)::int AS failing FROM oauth.webhooks
    WHERE status = 'active' AND failing_since < now() - make_interval(hours => ${FAILING_HOURS})`;
  const failing = row?.failing ?? 0;
  const found = `webhooks that fail for ${FAILING_HOURS} h: ${failing}`;
  return when(failing > 0, found, "tell their partners: 'partner-connect webhook list'");
}
