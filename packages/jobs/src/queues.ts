import type { ServiceRole } from "@partner-connect/database";
import type { Queue } from "pg-boss";

/** The queue of jobs that failed for good, with their last output. No process takes jobs from it. */
export const FAILED = "failed";

/** A day in seconds. */
export const DAY = 24 * 3600;

/**
 * Settings of all kinds. The job of a killed process is due again within a minute, after two missed
 * heartbeats. Completed jobs are deleted after a minute.
 */
const COMMON = {
  deadLetter: FAILED,
  heartbeatSeconds: 30,
  deleteAfterSeconds: 60,
  retentionSeconds: 30 * DAY,
} as const;

/** Settings for retries after 5 s, 10 s, 20 s … and then every 15 minutes, for three days. */
const LATER = { retryLimit: 300, retryDelay: 5, retryBackoff: true, retryDelayMax: 900 } as const;

type Kinds = Readonly<Record<string, Omit<Queue, "name">>>;

/** A queue schema per entry point of the worker; only the role of the entry point may use it. */
export const JOB_SCHEMAS = ["worker_jobs", "back_office_jobs"] as const;
export type JobSchema = (typeof JOB_SCHEMAS)[number];

export const QUEUES: Readonly<
  Record<JobSchema, { readonly role: ServiceRole; readonly kinds: Kinds }>
> = {
  worker_jobs: {
    role: "worker",
    kinds: {
      mail: { ...COMMON, ...LATER, expireInSeconds: 300 },
      // Per endpoint at most one job waits and one runs. If a webhook doesn't arrive, its job adds
      // the next one; pg-boss retries only after a kill or a fault of ours, such as a missing key.
      webhook: { ...COMMON, ...LATER, policy: "short", expireInSeconds: 60 },
      webhook_retry: { ...COMMON, ...LATER, policy: "short", expireInSeconds: 60 },
      webhook_test: { ...COMMON, policy: "short", expireInSeconds: 60, retryLimit: 3 },
    },
  },
  back_office_jobs: {
    role: "back_office",
    kinds: {
      // Does what the row in directory.test_shops requests. Per test shop at most one job waits and
      // one runs. A request adds no job while one waits, so the job waits for the request's commit.
      test_shop: { ...COMMON, ...LATER, policy: "short", expireInSeconds: 600 },
      // Per merchant or shop at most one job waits and one runs.
      erasure: { ...COMMON, ...LATER, policy: "short", expireInSeconds: 4 * 3600 },
      // Regular jobs: per kind at most one waits or runs.
      used_test_shops: { ...COMMON, ...LATER, policy: "exclusive", expireInSeconds: 600 },
      purge: { ...COMMON, ...LATER, policy: "exclusive", expireInSeconds: 4 * 3600 },
    },
  },
};
