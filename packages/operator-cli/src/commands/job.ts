import { setTimeout as sleep } from "node:timers/promises";
import type { FailedJob } from "@partner-connect/database/jobs";
import type { Command } from "commander";
import { commandGroup } from "../options/confirm.ts";
import { listing, type PageOptions, pageOf } from "../options/list-page.ts";
import { type Answer, type OpenStack, onDatabase } from "../run/command.ts";
import { type Context, OperatorError } from "../run/context.ts";
import { say } from "../terminal/screen.ts";
import { cutColumn, table } from "../terminal/table.ts";

export function addJobCommands(program: Command, context: Context): void {
  const job = commandGroup(program, "job", "Jobs of the worker and the back office that failed for good", EXAMPLES);
  const list = job.command("list").description("List the failed jobs, the oldest first. They are kept for 30 days");
  listing(list, "<job>", "the kind or the reason").action(
    onDatabase(context, async ({ sql }, asked: PageOptions) => {
      const { failedJobs } = await import("@partner-connect/database/jobs");
      const read = (page: Parameters<typeof failedJobs>[1]) => failedJobs(sql, page);
      const { shown, note } = await pageOf(asked, read, ({ id }) => id);
      return { json: shown.map(jobJson), text: jobTable(shown), note };
    }),
  );
  job
    .command("retry")
    .description("Have failed jobs run again: one of them, or all")
    .argument("[job]", "the job's id; without it, all")
    .action(
      onDatabase(context, async ({ sql }, id?: string) => {
        const { retryJobs } = await import("@partner-connect/database/jobs");
        const count = await retryJobs(sql, id ?? null);
        if (id !== undefined && count === 0) {
          throw new OperatorError(`no failed job has the id ${JSON.stringify(id)}`, {
            code: "UNKNOWN_JOB",
            hint: "'partner-connect job list' lists them",
          });
        }
        return { json: { retried: count }, text: `${count} ${count === 1 ? "job is" : "jobs are"} due now.` };
      }),
    );
  commandGroup(program, "mail", "Mails to merchants", "\n  $ partner-connect mail test you@survey.example")
    .command("test")
    .description("Send a mail to an address, and say what came of it. The worker sends it")
    .argument("<address>", "such as you@survey.example")
    .action(onDatabase(context, (stack, address: string) => sendTest(context, stack, address)));
}

const LOOK_MS = 200;
const PATIENCE_MS = 30_000;

async function sendTest({ terminal }: Context, { sql }: OpenStack, address: string): Promise<Answer> {
  const { queueMail } = await import("@partner-connect/mail");
  const [clock] = await sql<{ now: Date }[]>`SELECT now() AS now`;
  await queueMail(sql, { kind: "test", about: { to: address } });
  if (terminal.stderr.isTTY) say(terminal.stderr, "waiting for the worker to send it …");
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(LOOK_MS)) {
    const [mine] = await sql<{ state: string; reason: string | null }[]>`
      SELECT state, output ->> 'reason' AS reason FROM worker_jobs.job
      WHERE name = 'mail' AND data -> 'about' ->> 'to' = ${address} AND created_on >= ${clock?.now ?? new Date()}`;
    if (mine?.state === "completed")
      return { json: { to: address, sent: true }, text: `The server has taken the mail to ${address}.` };
    const failure = mine?.reason;
    if (failure)
      return { json: { to: address, sent: false, failure }, text: `It was not sent: ${failure}`, isFailure: true };
  }
  throw new OperatorError(`no worker has sent it within ${PATIENCE_MS / 1000} s`, {
    code: "NOT_SENT",
    hint: "does one run, and does its log say why? It sends the mail when it can",
  });
}

function jobJson({ id, schema, kind, data, failedAt, attempts, reason }: FailedJob) {
  return { id, queue: schema, kind, data, failed_at: failedAt.toISOString(), attempts, reason };
}

function jobTable(jobs: readonly FailedJob[]) {
  return table(
    ["JOB", "KIND", "FAILED", "ATTEMPTS", cutColumn("WHY")],
    jobs.map(({ id, kind, failedAt, attempts, reason }) => [id, kind, failedAt, String(attempts), reason]),
    "No job has failed.",
  );
}

const EXAMPLES = `
  $ partner-connect job list
  $ partner-connect job retry`;
