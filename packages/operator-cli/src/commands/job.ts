import type { Command } from "@commander-js/extra-typings";
import { failedJobs, retryJobs } from "@partner-connect/jobs";
import { addList, type Cli, listAnswer } from "../cli.ts";
import { OperatorError } from "../errors.ts";
import { jsonOf } from "../print.ts";

export default function addJobCommands(job: Command, cli: Cli): void {
  const listCommand = addList(job, "the kind or the reason").description(
    "List the failed jobs of the last 30 days, the oldest first",
  );
  cli.setSqlAction(listCommand, ({ sql }, asked) =>
    listAnswer(asked, {
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
    .description("Run a failed job again, or all of them")
    .argument("[job]", "the job's id; default: all failed jobs");
  cli.setSqlAction(retryCommand, async ({ sql }, id) => {
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
