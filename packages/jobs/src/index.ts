export type { JobResult, JobWithMetadata } from "pg-boss";
export { startMovingIncomingJobs } from "./incoming-jobs.ts";
export { installJobs } from "./install-jobs.ts";
export {
  addJob,
  countJobs,
  failedJobs,
  REGULAR,
  retryJobs,
} from "./jobs.ts";
export { openJobs } from "./open-jobs.ts";
export { JOB_SCHEMAS, type JobSchema } from "./queues.ts";
