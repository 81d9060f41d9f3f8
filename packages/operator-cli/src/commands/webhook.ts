import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "@commander-js/extra-typings";
import {
  addWebhook,
  type Delivery,
  type Endpoint,
  findWebhook,
  listWebhooks,
  type NewSecret,
  parseWebhookKeys,
  publicAddresses,
  removeWebhook,
  requestTest,
  rotateWebhookSecret,
  setWebhookStatus,
  type WebhookKeys,
} from "@partner-connect/connections/webhooks";
import { clientByIdOrName, idsOf } from "@partner-connect/directory";
import {
  type Answer,
  addList,
  type Cli,
  listAnswer,
  newSecretAnswer,
  OF_CLIENT,
  type OpenStack,
  YES,
} from "../cli.ts";
import type { Config } from "../config.ts";
import { OperatorError } from "../errors.ts";
import { fields, jsonOf, printText, table } from "../print.ts";
import { NOW, OVERLAP } from "../values.ts";

const WEBHOOK = ["<webhook>", "the endpoint's id"] as const;

export default function addWebhookCommands(webhook: Command, cli: Cli): void {
  const addCommand = webhook
    .command("add")
    .description("Add a webhook endpoint to a client; its signing secret is shown only once")
    .requiredOption(...OF_CLIENT)
    .requiredOption("--url <url>", "https, on a public address");
  cli.setSqlAction(addCommand, async ({ sql, actor }, { client, url }) => {
    const keys = await webhookKeysOf(cli.config);
    const { id, name } = await clientByIdOrName(sql, client);
    // The worker sends to this machine's addresses only on a local stack, or if it is configured to.
    const allowLoopback =
      cli.config.WEBHOOK_LOOPBACK === 1 || cli.config.DATABASE_URL === undefined;
    const problem = await publicAddresses(url, { allowLoopback }).then(() => null, noteIfUnknown);
    const added = await addWebhook(sql, { clientId: id, url }, keys, actor);
    const note =
      problem &&
      `note: ${problem} from here; check with 'partner-connect webhook test' that the worker finds it`;
    return {
      ...secretAnswer(`Webhooks of ${name} are sent to ${url} from now on.`, added),
      note: note ?? undefined,
    };
  });
  const listCommand = addList(webhook, "the URL")
    .description("List endpoints, the newest last")
    .option(...OF_CLIENT);
  cli.setSqlAction(listCommand, async ({ sql }, { client, ...asked }) => {
    const { clientId } = await idsOf(sql, { client });
    return await listAnswer(asked, {
      read: (page) => listWebhooks(sql, { clientId, ...page }),
      json: webhookJson,
      ...WEBHOOK_TABLE,
    });
  });
  const showCommand = webhook
    .command("show")
    .description("Show an endpoint with its last deliveries and the beginning of each response")
    .argument(...WEBHOOK);
  cli.setSqlAction(showCommand, async ({ sql }, id) => showAnswer(await findWebhook(sql, id)));
  const testCommand = webhook
    .command("test")
    .description("Send a test webhook, even to a paused endpoint, and show the response")
    .argument(...WEBHOOK);
  cli.setSqlAction(testCommand, async ({ sql, actor }, id) => {
    const endpoint = await findWebhook(sql, id);
    const testId = await requestTest(sql, endpoint, actor);
    if (cli.terminal.stderr.isTTY) printText(cli.terminal.stderr, "waiting for the worker …");
    const delivery = await awaitDelivery(sql, id, testId);
    const { status, milliseconds, error, body } = delivery;
    const { url } = endpoint;
    const came =
      error === null ? `arrived: ${url} answered ${status}` : `did not arrive at ${url}: ${error}`;
    const began = body === "" ? "" : `\nThe response begins: ${body}`;
    return {
      json: { id, ...deliveryJson(delivery) },
      text: `The webhook ${came} (${milliseconds} ms).${began}`,
      isFailure: error !== null,
    };
  });
  for (const [name, status, description] of [
    ["pause", "paused", "Send no webhooks to an endpoint until 'resume'; the feed continues"],
    ["resume", "active", "Send webhooks to a paused endpoint again, at once if the feed has news"],
  ] as const) {
    const statusCommand = webhook
      .command(name)
      .description(description)
      .argument(...WEBHOOK);
    cli.setSqlAction(statusCommand, async ({ sql, actor }, id) => {
      await setWebhookStatus(sql, await findWebhook(sql, id), status, actor);
      const json = webhookJson(await findWebhook(sql, id));
      return { json, text: `Endpoint ${id} is ${status}.` };
    });
  }
  const rotateCommand = webhook
    .command("rotate-secret")
    .description(
      "Give an endpoint a new secret, shown only once; both secrets sign during --overlap",
    )
    .argument(...WEBHOOK)
    .addOption(OVERLAP)
    .addOption(NOW)
    .option(...YES);
  cli.setSqlAction(rotateCommand, async ({ sql, actor }, id, { overlap, now, ...consent }) => {
    const keys = await webhookKeysOf(cli.config);
    const endpoint = await findWebhook(sql, id);
    const seconds = now ? 0 : overlap;
    const effect = `Endpoint ${id} gets a new secret, and the partner refuses its webhooks until the secret is installed.`;
    await cli.confirm(consent, seconds === 0 ? [effect] : []);
    const rotated = await rotateWebhookSecret(sql, endpoint, seconds, keys, actor);
    const until = rotated.webhook.secrets[1]?.expires_at;
    const former = until ? `the former one also signs until ${until}` : "the former one has ended";
    return secretAnswer(`Endpoint ${id} has a new secret; ${former}.`, rotated);
  });
  const removeCommand = webhook
    .command("remove")
    .description("Remove an endpoint for good, with its secrets")
    .argument(...WEBHOOK)
    .option(...YES);
  cli.setSqlAction(removeCommand, async ({ sql, actor }, id, consent) => {
    const endpoint = await findWebhook(sql, id);
    await cli.confirm(consent, [
      `Endpoint ${id} (${endpoint.url}) of ${endpoint.clientId} is removed for good: it gets no more webhooks, and its secret ends.`,
    ]);
    await removeWebhook(sql, endpoint, actor);
    return { json: { id, status: "removed" }, text: `Endpoint ${id} is removed.` };
  });
}

/**
 * Returns the message for an unknown host, because the operator's container may have no name
 * server, and throws any other error.
 */
function noteIfUnknown(error: Error & { code?: unknown }): string {
  if (error.code === "WEBHOOK_HOST_UNKNOWN") return error.message;
  throw error;
}

/**
 * Reads the keys from which endpoints' secrets are derived: those of WEBHOOK_KEY_FILE, or of a local
 * stack. @throws {WebhookError} WEBHOOK_KEY
 */
async function webhookKeysOf(config: Config): Promise<WebhookKeys> {
  const local = () => readFile(join(config.dataDir, "webhook-key"), "utf8").catch(() => undefined);
  return parseWebhookKeys(
    config.WEBHOOK_KEY ?? (config.DATABASE_URL === undefined ? await local() : undefined),
  );
}

function secretAnswer(sentence: string, { webhook, secret }: NewSecret): Answer {
  const { id, url, secrets } = webhook;
  return newSecretAnswer({
    sentence,
    shown: { id, url, secret },
    json: {
      ...jsonOf(webhook, "id", "clientId", "url"),
      secret,
      former_secret_expires_at: secrets[1]?.expires_at ?? null,
    },
    next: "Hand the secret to the partner",
  });
}

export const webhookJson = (webhook: Endpoint) =>
  jsonOf(webhook, "id", "clientId", "url", "status", "failingSince", "createdAt");

const deliveryJson = ({ id, error, ...rest }: Delivery) => ({
  hint_id: id,
  arrived: error === null,
  error,
  ...rest,
});

export const WEBHOOK_TABLE = {
  head: ["ENDPOINT", "STATUS", "URL", "FAILING SINCE"],
  cells: ({ id, status, url, failingSince }: Endpoint) => [id, status, url, failingSince],
  none: "There are no webhook endpoints.",
};

function showAnswer(webhook: Endpoint): Answer {
  const { secrets, deliveries } = webhook;
  const about = webhookJson(webhook);
  const rows = deliveries.map(({ id, at, status, milliseconds, error, body }) => [
    at,
    status ?? "none",
    milliseconds,
    id,
    error,
    body,
  ]);
  const until = secrets.map(({ expires_at }) => expires_at ?? "it is rotated").join(" and until ");
  const head = ["SENT", "STATUS", "MS", "WEBHOOK", "WHY IT FAILED", "BEGINNING OF THE RESPONSE"];
  return {
    json: {
      ...about,
      secrets: secrets.map(({ expires_at }) => ({ expires_at })),
      deliveries: deliveries.map(deliveryJson),
    },
    text: `${fields({ ...about, "signed until": until })}\n\n${table(head, rows, "No webhook was sent yet.")}`,
  };
}

const POLL_MS = 200;
/**
 * Milliseconds to wait for a test's delivery. The worker polls several times a second, and an
 * attempt takes at most five seconds.
 */
const PATIENCE_MS = 20_000;

/** Waits until the worker has stored the delivery. @throws {OperatorError} NOT_SENT */
async function awaitDelivery(sql: OpenStack["sql"], id: string, testId: string): Promise<Delivery> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(POLL_MS)) {
    const { deliveries } = await findWebhook(sql, id);
    const delivery = deliveries.find((each) => each.id === testId);
    if (delivery) return delivery;
  }
  throw new OperatorError(`no worker has sent the webhook within ${PATIENCE_MS / 1000} s`, {
    code: "NOT_SENT",
    hint: "is a worker running, with the same WEBHOOK_KEY_FILE? It will send the webhook; 'partner-connect webhook show' shows the result",
  });
}

export const EXAMPLES = `
  $ partner-connect webhook add --client 'Acme Analytics' --url https://acme.example/hooks/partner-connect
  $ partner-connect webhook rotate-secret whk_0195… --overlap 24h`;
