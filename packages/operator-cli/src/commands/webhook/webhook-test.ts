import { setTimeout as sleep } from "node:timers/promises";
import type { Delivery, Webhook } from "@partner-connect/connections/webhooks";
import type { Command } from "commander";
import { type Answer, type OpenStack, onDatabase } from "../../run/command.ts";
import { type Context, OperatorError } from "../../run/context.ts";
import { say } from "../../terminal/screen.ts";
import { deliveryJson } from "./webhook-show.ts";

const LOOK_MS = 200;
/** The worker looks several times a second, and an attempt takes five seconds at most. */
const PATIENCE_MS = 20_000;

export function addTestCommand(webhook: Command, context: Context): void {
  webhook
    .command("test")
    .description(
      "Send a hint that names nothing new, and show what came of it. The worker sends it, also while the endpoint is paused",
    )
    .argument("<webhook>", "the endpoint's id")
    .action(onDatabase(context, (stack, id: string) => sendTest(context, stack, id)));
}

async function sendTest({ terminal }: Context, { sql, actor }: OpenStack, id: string): Promise<Answer> {
  const { askForTest, findWebhook } = await import("@partner-connect/connections/webhooks");
  const webhook = await findWebhook(sql, id);
  const hintId = await askForTest(sql, webhook, actor);
  if (terminal.stderr.isTTY) say(terminal.stderr, "waiting for the worker to send it …");
  return sentAnswer(webhook, await outcome(sql, webhook, hintId));
}

/** @throws {OperatorError} NOT_SENT */
async function outcome(sql: OpenStack["sql"], { id }: Webhook, hintId: string): Promise<Delivery> {
  const { findWebhook } = await import("@partner-connect/connections/webhooks");
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(LOOK_MS)) {
    const { deliveries } = await findWebhook(sql, id);
    const delivery = deliveries.find((each) => each.id === hintId);
    if (delivery) return delivery;
  }
  throw new OperatorError(`no worker has sent it within ${PATIENCE_MS / 1000} s`, {
    code: "NOT_SENT",
    hint: "does one run, with the same WEBHOOK_KEY_FILE? It sends the hint when it can; 'partner-connect webhook show' tells what came of it",
  });
}

function sentAnswer({ id, url }: Webhook, delivery: Delivery): Answer {
  const { status, milliseconds, error, body } = delivery;
  const came = error === null ? `arrived: ${url} answered ${status}` : `did not arrive at ${url}: ${error}`;
  const began = body === "" ? "" : `\nThe answer began: ${body}`;
  return {
    json: { id, ...deliveryJson(delivery) },
    text: `The hint ${came} (${milliseconds} ms).${began}`,
    isFailure: error !== null,
  };
}
