import type { Command } from "@commander-js/extra-typings";
import { failedJobs, retryJobs } from "@partner-connect/jobs";
import { addList, type Cli, listResult } from "../cli.ts";
import { OperatorError } from "../errors.ts";
import { jsonOf } from "../print.ts";

export default function addJobCommands(job: Command, cli: Cli): void {
  const listCommand = addList(job, "the kind or the reason").description(
    "List the failed jobs, the oldest first. They are kept for 30 days",
  );
  cli.onDatabase(listCommand, ({ sql }, asked) =>
    listResult(asked, {
      read: (page) => failedJobs(sql, page),
      json: (failed) => ({
        queue: failed.schema,
        ...jsonOf(failed, "id", "kind", "data", "failedAt", "attempts", "reason"),
      }),
      head: ["JOB", "KIND", "FAILED", "ATTEMPTS", "WHY"],
      cells: ({ id, kind, failedAt, attempts, reason }) => [id, kind, failedAt, attempts, reason],
      none: "No job has failed.",
    }),
  );
  const retryCommand = job
    .command("retry")
    .description("Have failed jobs run again: one of them, or all")
    .argument("[job]", "the job's id; without it, all");
  cli.onDatabase(retryCommand, async ({ sql }, id) => {
    const count = await retryJobs(sql, id ?? null);
    if (id !== undefined && count === 0) {
      throw new OperatorError(`no failed job has the id ${JSON.stringify(id)}`, {
        code: "UNKNOWN_JOB",
      });
    }
    return {
      json: { retried: count },
      text: `${count} ${count === 1 ? "job is" : "jobs are"} due now.`,
    };
  });
}

export const EXAMPLES = `
  $ partner-connect job list --search mail`;
