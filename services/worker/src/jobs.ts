import type { Sql } from "@partner-connect/database";
import {
  addJob,
  countJobs,
  type JobResult,
  type JobSchema,
  type JobWithMetadata,
  openJobs,
  REGULAR,
  startMovingIncomingJobs,
} from "@partner-connect/jobs";
import {
  addGauge,
  Counter,
  type Logger,
  type Registry,
  sharedReading,
} from "@partner-connect/service-runtime";

/** A kind of job, and how this process runs it. */
export interface Kind<Data extends object = object> {
  readonly kind: string;
  /** Number of concurrent lanes. Each fetches independently, and runs `batch` jobs at once. */
  readonly lanes: number;
  readonly batch: number;
  /** True if jobs with the same key, such as an endpoint's, must not run at the same time. */
  readonly isOneAtATime?: boolean;
  /**
   * Seconds between two jobs, and from midnight UTC to the first. The next job waits in the queue,
   * whose policy is `exclusive`.
   */
  readonly every?: { readonly seconds: number; readonly from: number };
  /**
   * Resolves with the outcome, which is counted. If it rejects, the job is retried later, unless
   * the error is a {@link FinalFailure}.
   */
  run(job: Job<Data>): Promise<string>;
}

export interface Job<Data extends object> {
  /** The same id in each attempt. */
  readonly id: string;
  readonly data: Data;
  readonly createdAt: Date;
}

/** Thrown if another attempt would fail too: the job is marked as failed without a retry. */
export class FinalFailure extends Error {
  override readonly name = "FinalFailure";
}

interface JobsOptions {
  readonly sql: Sql;
  readonly schema: JobSchema;
  readonly kinds: readonly Kind<never>[];
  readonly logger: Logger;
  readonly registry: Registry;
}

/** Pause of a lane after a fetch that found nothing. */
const POLL_SECONDS = 1.5;
/** Milliseconds between two attempts to add the next regular job. */
const ADD_MS = 10_000;
/**
 * Seconds that running jobs have to finish when the process ends. Unfinished jobs run again, in
 * another process or later.
 */
const END_SECONDS = 10;

/**
 * Runs the jobs of a queue schema, at least once each, until `close`. While the database is down,
 * or its queues have another version than our pg-boss, the start is retried.
 */
export function startJobs({ sql, schema, kinds, logger, registry }: JobsOptions) {
  const boss = openJobs(sql, schema);
  boss.on("error", (err) => logger.warn({ err }, "the job queue can't be read"));
  boss.on("warning", ({ message, data }) =>
    logger.warn({ reason: message, data }, "pg-boss warns"),
  );
  const count = jobMetrics(registry, sql, schema);
  let isClosed = false;
  const start = async () => {
    await boss.start({ attempts: Number.MAX_SAFE_INTEGER });
    for (const { kind, lanes, batch, isOneAtATime, run } of kinds as readonly Kind[]) {
      const options = {
        ...({ perJobResults: true, includeMetadata: true } as const),
        batchSize: batch,
        pollingIntervalSeconds: POLL_SECONDS,
        ...(isOneAtATime && { groupConcurrency: 1 }),
      };
      const openLane = async () => {
        if (isClosed) return;
        const id: string = await boss.work<object, JobResult[], typeof options>(
          kind,
          options,
          (jobs) => {
            boss.notifyWorker(id); // the lane fetches again at once
            return Promise.all(jobs.map((job) => attempt(job, run, logger, count)));
          },
        );
      };
      // At different times, so that a job waits only for the next lane.
      for (let lane = 0; lane < lanes; lane++)
        setTimeout(
          () => openLane().catch((err) => logger.warn({ err }, "a lane was not opened")),
          (lane / lanes) * POLL_SECONDS * 1000,
        ).unref();
    }
  };
  const started = start().catch((err) => logger.warn({ err }, "the job queue was not started"));
  const addNext = () => {
    // Each job waits in the queue until it is due.
    for (const { kind, every } of kinds)
      if (every)
        addJob(sql, schema, kind, {}, REGULAR, nextTime(Date.now(), every)).catch(() => {});
  };
  addNext();
  const incoming = startMovingIncomingJobs(sql, schema);
  const timer = setInterval(addNext, ADD_MS);
  return {
    async close() {
      isClosed = true;
      clearInterval(timer);
      await Promise.all([boss.stop({ timeout: END_SECONDS * 1000 }), incoming.close()]);
      await started;
    },
  };
}

function nextTime(now: number, { seconds, from }: NonNullable<Kind["every"]>): Date {
  return new Date((Math.floor((now / 1000 - from) / seconds + 1) * seconds + from) * 1000);
}

async function attempt(
  { id, name: kind, data, createdOn, retryCount, retryLimit }: JobWithMetadata<object>,
  run: Kind["run"],
  logger: Logger,
  count: (kind: string, outcome: string) => void,
): Promise<JobResult> {
  try {
    count(kind, await run({ id, data, createdAt: new Date(createdOn) }));
    return { id, status: "completed" };
  } catch (error) {
    const isLast = error instanceof FinalFailure || retryCount >= retryLimit;
    count(kind, isLast ? "failed" : "retried");
    const reason = error instanceof Error ? error.message : String(error);
    logger[isLast ? "error" : "info"](
      { job_id: id, kind, attempts: retryCount + 1, reason },
      isLast ? "a job failed for good" : "a job failed, and runs again",
    );
    return { id, status: isLast ? "deadletter" : "failed", output: { reason } };
  }
}

/**
 * Metrics: outcomes of jobs in this process, and waiting jobs, which all processes report alike.
 */
function jobMetrics(registry: Registry, sql: Sql, schema: JobSchema) {
  const done = new Counter({
    name: "partner_connect_jobs_total",
    help: "Attempts at jobs. retried: the job failed and runs again; failed: it failed for good.",
    labelNames: ["kind", "outcome"],
    registers: [registry],
  });
  const read = sharedReading(() => countJobs(sql, schema));
  const gauges = [
    ["waiting", "Jobs that wait to run, for the first time or again", "waiting"],
    ["oldest_seconds", "Age of the oldest job that waits; 0 if none waits", "oldestSeconds"],
    ["failed", "Jobs that failed for good, which are kept for 30 days", "failed"],
  ] as const;
  for (const [name, help, key] of gauges) {
    const byKind = async () =>
      Object.entries((await read()) ?? {}).map(
        ([kind, counts]) => [{ kind }, counts[key]] as const,
      );
    addGauge(registry, byKind, {
      name: `partner_connect_jobs_${name}`,
      help: `${help}. Missing if the queue can't be read.`,
      labelNames: ["kind"],
    });
  }
  return (kind: string, outcome: string) => done.inc({ kind, outcome });
}
