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
  listResult,
  OF_CLIENT,
  type OpenStack,
  secretShownOnce,
  YES,
} from "../cli.ts";
import type { Config } from "../config.ts";
import { OperatorError } from "../errors.ts";
import { fields, jsonOf, say, table } from "../print.ts";
import { NOW, OVERLAP } from "../values.ts";

const WEBHOOK = ["<webhook>", "the endpoint's id"] as const;

export default function addWebhookCommands(webhook: Command, cli: Cli): void {
  const addCommand = webhook
    .command("add")
    .description("Send a client's hints to this URL too, and show the secret that signs them, once")
    .requiredOption(...OF_CLIENT)
    .requiredOption("--url <url>", "https, on a public address");
  cli.onDatabase(addCommand, async ({ sql, actor }, { client, url }) => {
    const keys = await webhookKeysOf(cli.config);
    const { id, name } = await clientByIdOrName(sql, client);
    // Allows this machine's addresses only with a local stack, or if the worker is configured for
    // them too.
    const allowLoopback =
      cli.config.WEBHOOK_LOOPBACK === 1 || cli.config.DATABASE_URL === undefined;
    const problem = await publicAddresses(url, { allowLoopback }).then(() => null, noteIfUnknown);
    const added = await addWebhook(sql, { clientId: id, url }, keys, actor);
    const note =
      problem &&
      `note: ${problem} from here; 'partner-connect webhook test' shows whether the worker can`;
    return {
      ...secretAnswer(`Hints for ${name} are sent to ${url} from now on.`, added),
      note: note ?? undefined,
    };
  });
  const listCommand = addList(webhook, "the URL")
    .description("List endpoints, the newest last")
    .option(...OF_CLIENT);
  cli.onDatabase(listCommand, async ({ sql }, { client, ...asked }) => {
    const { clientId } = await idsOf(sql, { client });
    return await listResult(asked, {
      read: (page) => listWebhooks(sql, { clientId, ...page }),
      json: webhookJson,
      ...WEBHOOK_TABLE,
    });
  });
  const showCommand = webhook
    .command("show")
    .description("Show an endpoint with its last deliveries, and how each answer began")
    .argument(...WEBHOOK);
  cli.onDatabase(showCommand, async ({ sql }, id) => showAnswer(await findWebhook(sql, id)));
  const testCommand = webhook
    .command("test")
    .description("Have the worker send a hint that names nothing new, to a paused endpoint too")
    .argument(...WEBHOOK);
  cli.onDatabase(testCommand, async ({ sql, actor }, id) => {
    const endpoint = await findWebhook(sql, id);
    const hintId = await requestTest(sql, endpoint, actor);
    if (cli.terminal.stderr.isTTY) say(cli.terminal.stderr, "waiting for the worker to send it …");
    const delivery = await outcome(sql, id, hintId);
    const { status, milliseconds, error, body } = delivery;
    const { url } = endpoint;
    const came =
      error === null ? `arrived: ${url} answered ${status}` : `did not arrive at ${url}: ${error}`;
    const began = body === "" ? "" : `\nThe answer began: ${body}`;
    return {
      json: { id, ...deliveryJson(delivery) },
      text: `The hint ${came} (${milliseconds} ms).${began}`,
      isFailure: error !== null,
    };
  });
  for (const [name, status, description] of [
    ["pause", "paused", "Send an endpoint no hints until 'resume'; the feed goes on"],
    ["resume", "active", "Send a paused endpoint hints again, at once if its feed has moved"],
  ] as const) {
    const statusCommand = webhook
      .command(name)
      .description(description)
      .argument(...WEBHOOK);
    cli.onDatabase(statusCommand, async ({ sql, actor }, id) => {
      await setWebhookStatus(sql, await findWebhook(sql, id), status, actor);
      const json = webhookJson(await findWebhook(sql, id));
      return { json, text: `Endpoint ${id} is ${status}.` };
    });
  }
  const rotateSecretCommand = webhook
    .command("rotate-secret")
    .description("Give an endpoint a new secret, shown once; both sign hints for a while")
    .argument(...WEBHOOK)
    .addOption(OVERLAP)
    .addOption(NOW)
    .option(...YES);
  cli.onDatabase(rotateSecretCommand, async ({ sql, actor }, id, { overlap, now, ...consent }) => {
    const keys = await webhookKeysOf(cli.config);
    const endpoint = await findWebhook(sql, id);
    const seconds = now ? 0 : overlap;
    const effect = `Endpoint ${id} gets a new secret, and the partner refuses its hints until it is installed.`;
    await cli.confirm(consent, seconds === 0 ? [effect] : []);
    const rotated = await rotateWebhookSecret(sql, endpoint, seconds, keys, actor);
    const until = rotated.webhook.secrets[1]?.expires_at;
    const former = until
      ? `hints are signed by the former one too until ${until}`
      : "the former one has ended";
    return secretAnswer(`Endpoint ${id} has a new secret; ${former}.`, rotated);
  });
  const removeCommand = webhook
    .command("remove")
    .description("Remove an endpoint for good, with its secrets")
    .argument(...WEBHOOK)
    .option(...YES);
  cli.onDatabase(removeCommand, async ({ sql, actor }, id, consent) => {
    const endpoint = await findWebhook(sql, id);
    await cli.confirm(consent, [
      `Endpoint ${id} (${endpoint.url}) of ${endpoint.clientId} is removed for good: it gets no hints, and its secret ends.`,
    ]);
    await removeWebhook(sql, endpoint, actor);
    return { json: { id, status: "removed" }, text: `Endpoint ${id} is removed.` };
  });
}

/** Tolerates an unknown host, because the operator's container may have no name server. */
function noteIfUnknown(error: Error & { code?: unknown }): string {
  if (error.code === "WEBHOOK_HOST_UNKNOWN") return error.message;
  throw error;
}

/**
 * The keys from which endpoints' secrets are derived: WEBHOOK_KEY_FILE's, or a local stack's.
 * @throws {WebhookError} WEBHOOK_KEY
 */
async function webhookKeysOf(config: Config): Promise<WebhookKeys> {
  const local = () => readFile(join(config.dataDir, "webhook-key"), "utf8").catch(() => undefined);
  return parseWebhookKeys(
    config.WEBHOOK_KEY ?? (config.DATABASE_URL === undefined ? await local() : undefined),
  );
}

function secretAnswer(sentence: string, { webhook, secret }: NewSecret): Answer {
  const { id, url, secrets } = webhook;
  return secretShownOnce({
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
  none: "There are no endpoints for hints.",
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
  const head = ["SENT", "ANSWER", "MS", "HINT", "WHY IT FAILED", "HOW THE ANSWER BEGAN"];
  return {
    json: {
      ...about,
      secrets: secrets.map(({ expires_at }) => ({ expires_at })),
      deliveries: deliveries.map(deliveryJson),
    },
    text: `${fields({ ...about, "signed until": until })}\n\n${table(head, rows, "No hint was sent yet.")}`,
  };
}

const LOOK_MS = 200;
/** The worker polls several times a second, and an attempt takes at most five seconds. */
const PATIENCE_MS = 20_000;

/** @throws {OperatorError} NOT_SENT */
async function outcome(sql: OpenStack["sql"], id: string, hintId: string): Promise<Delivery> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(LOOK_MS)) {
    const { deliveries } = await findWebhook(sql, id);
    const delivery = deliveries.find((each) => each.id === hintId);
    if (delivery) return delivery;
  }
  throw new OperatorError(`no worker has sent it within ${PATIENCE_MS / 1000} s`, {
    code: "NOT_SENT",
    hint: "does one run, with the same WEBHOOK_KEY_FILE? It sends the hint when it can; 'partner-connect webhook show' shows the result",
  });
}

export const EXAMPLES = `
  $ partner-connect webhook add --client 'Acme Analytics' --url https://acme.example/hooks/partner-connect
  $ partner-connect webhook rotate-secret whk_0195… --overlap 24h`;
