import type { Command } from "@commander-js/extra-typings";
import { failedJobs, retryJobs } from "@partner-connect/database/jobs";
import { type Cli, listing, pageOf } from "../cli.ts";
import { OperatorError } from "../errors.ts";
import { table } from "../print.ts";

export default function addJobCommands(job: Command, cli: Cli): void {
  listing(
    job.command("list").description("List the failed jobs, the oldest first. They are kept for 30 days"),
    "the kind or the reason",
  ).action(
    cli.onDatabase(async ({ sql }, asked) => {
      const { shown, note } = await pageOf(
        asked,
        (page) => failedJobs(sql, page),
        ({ id }) => id,
      );
      const rows = shown.map(({ id, kind, failedAt, attempts, reason }) => [id, kind, failedAt, attempts, reason]);
      return {
        json: shown.map(({ id, schema, kind, data, failedAt, attempts, reason }) => ({
          id,
          queue: schema,
          kind,
          data,
          failed_at: failedAt.toISOString(),
          attempts,
          reason,
        })),
        text: table(["JOB", "KIND", "FAILED", "ATTEMPTS", "WHY"], rows, "No job has failed."),
        note,
      };
    }),
  );
  job
    .command("retry")
    .description("Have failed jobs run again: one of them, or all")
    .argument("[job]", "the job's id; without it, all")
    .action(
      cli.onDatabase(async ({ sql }, id) => {
        const count = await retryJobs(sql, id ?? null);
        if (id !== undefined && count === 0) {
          throw new OperatorError(`no failed job has the id ${JSON.stringify(id)}`, { code: "UNKNOWN_JOB" });
        }
        return { json: { retried: count }, text: `${count} ${count === 1 ? "job is" : "jobs are"} due now.` };
      }),
    );
}

export const EXAMPLES = `
  $ partner-connect job list
  $ partner-connect job retry`;
