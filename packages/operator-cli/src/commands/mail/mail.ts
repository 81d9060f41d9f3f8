import { setTimeout as sleep } from "node:timers/promises";
import type { WaitingMail } from "@partner-connect/mail";
import type { Command } from "commander";
import { commandGroup } from "../../options/confirm.ts";
import { listing, type PageOptions, pageOf } from "../../options/list-page.ts";
import { type Answer, type OpenStack, onDatabase } from "../../run/command.ts";
import { type Context, OperatorError } from "../../run/context.ts";
import { say } from "../../terminal/screen.ts";
import { cutColumn, table } from "../../terminal/table.ts";

export function addMailCommands(program: Command, context: Context): void {
  const mail = commandGroup(program, "mail", "Mails to merchants that are not sent yet, or could not be", EXAMPLES);
  const list = mail
    .command("list")
    .description("List mails that wait or were given up, the oldest first. A mail that was sent is gone");
  listing(list, "<mail>", "the kind or the failure")
    .option("--failed", "only those that were given up")
    .action(
      onDatabase(
        context,
        async ({ sql }, { failed = false, ...asked }: PageOptions & { readonly failed?: boolean }) => {
          const { listMails } = await import("@partner-connect/mail");
          const { shown, note } = await pageOf(
            asked,
            (page) => listMails(sql, { failed, ...page }),
            ({ id }) => id,
          );
          return { json: shown.map(mailJson), text: mailTable(shown), note };
        },
      ),
    );
  mail
    .command("retry")
    .description(
      "Have mails sent at once: one of them, or all that wait or were given up. One of these that fails again is given up at once",
    )
    .argument("[mail]", "the mail's id; without it, all")
    .action(
      onDatabase(context, async ({ sql }, id?: string) => {
        const { retryMails } = await import("@partner-connect/mail");
        const count = await retryMails(sql, id ?? null);
        if (id !== undefined && count === 0) {
          throw new OperatorError(`no mail with the id ${JSON.stringify(id)} waits`, {
            code: "UNKNOWN_MAIL",
            hint: "it was sent, or is being sent; 'partner-connect mail list' has those that wait",
          });
        }
        return { json: { retried: count }, text: `${count} ${count === 1 ? "mail is" : "mails are"} due now.` };
      }),
    );
  mail
    .command("test")
    .description("Send a mail to an address, and say what came of it. The worker sends it")
    .argument("<address>", "such as you@survey.example")
    .action(onDatabase(context, (stack, address: string) => send(context, stack, address)));
}

const LOOK_MS = 200;
/** The worker looks each second, and most servers answer within one. */
const PATIENCE_MS = 30_000;

async function send({ terminal }: Context, { sql }: OpenStack, address: string): Promise<Answer> {
  const { queueMail, listMails } = await import("@partner-connect/mail");
  const tests = async () => (await listMails(sql, { failed: false })).filter(({ kind }) => kind === "test");
  const before = new Set((await tests()).map(({ id }) => id));
  await queueMail(sql, { kind: "test", about: { to: address } });
  if (terminal.stderr.isTTY) say(terminal.stderr, "waiting for the worker to send it …");
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(LOOK_MS)) {
    const mine = (await tests()).find(({ id }) => !before.has(id));
    if (!mine) return { json: { to: address, sent: true }, text: `The server has taken the mail to ${address}.` };
    const { failure } = mine;
    if (failure)
      return { json: { to: address, sent: false, failure }, text: `It was not sent: ${failure}`, isFailure: true };
  }
  throw new OperatorError(`no worker has sent it within ${PATIENCE_MS / 1000} s`, {
    code: "NOT_SENT",
    hint: "does one run, and does its log say why? It sends the mail when it can; 'partner-connect mail list' tells what came of it",
  });
}

function mailJson({ id, kind, attempts, failure, ...mail }: WaitingMail) {
  return {
    id,
    kind,
    merchant_id: mail.merchantId,
    shop_id: mail.shopId,
    created_at: mail.createdAt.toISOString(),
    attempts,
    next_attempt_at: mail.failedAt ? null : mail.nextAttemptAt.toISOString(),
    failed_at: mail.failedAt?.toISOString() ?? null,
    failure,
  };
}

function mailTable(mails: readonly WaitingMail[]) {
  return table(
    ["MAIL", "KIND", "MERCHANT", "WRITTEN", "ATTEMPTS", "NEXT", cutColumn("WHY IT FAILED")],
    mails.map(({ id, kind, merchantId, createdAt, attempts, nextAttemptAt, failedAt, failure }) => [
      id,
      kind,
      merchantId,
      createdAt,
      String(attempts),
      failedAt ? { text: "given up", style: "red" } : nextAttemptAt,
      failure,
    ]),
    "No mail waits.",
  );
}

const EXAMPLES = `
  $ partner-connect mail test you@survey.example
  $ partner-connect mail list --failed
  $ partner-connect mail retry mail_0195…
  $ partner-connect mail retry`;
