import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Egress, NewSecret, WebhookKeys } from "@partner-connect/connections/webhooks";
import { type Command, Option } from "commander";
import { type Consent, carryOut, destructive } from "../../options/confirm.ts";
import { parseDuration } from "../../options/values.ts";
import { onDatabase, secretShownOnce } from "../../run/command.ts";
import { type Context, UsageError } from "../../run/context.ts";

/** As for a client's secret. */
const MAX_OVERLAP_SECONDS = 30 * 24 * 3600;

export function addAddCommand(webhook: Command, context: Context): void {
  webhook
    .command("add")
    .description("Send a client's hints to this URL too, and show the secret that signs them, once")
    .requiredOption("--client <client>", "the client's id or whole name")
    .requiredOption("--url <url>", "https, on a public address")
    .action(
      onDatabase(context, async ({ sql, actor }, { client, url }: { client: string; url: string }) => {
        const { addWebhook, publicAddresses } = await import("@partner-connect/connections/webhooks");
        const { clientByIdOrName } = await import("@partner-connect/directory");
        const keys = await webhookKeysOf(context);
        const { id, name } = await clientByIdOrName(sql, client);
        const problem = await publicAddresses(url, egressOf(context)).then(() => null, unlessUnknown);
        const added = await addWebhook(sql, { clientId: id, url }, keys, actor);
        const answer = secretAnswer(`Hints for ${name} are sent to ${url} from now on.`, added);
        return { ...answer, ...(problem && { note: `note: ${problem} ${FROM_HERE}` }) };
      }),
    );
}

/** The operator's container may reach no name server. The worker looks at the addresses each time. */
const FROM_HERE = "from here; 'partner-connect webhook test' shows whether the worker can";

function unlessUnknown(error: Error & { code?: unknown }): string {
  if (error.code === "WEBHOOK_HOST_UNKNOWN") return error.message;
  throw error;
}

interface Rotate extends Consent {
  readonly overlap: string;
  readonly now?: boolean;
}

export function addRotateSecretCommand(webhook: Command, context: Context): void {
  destructive(webhook.command("rotate-secret"))
    .description("Give an endpoint a new secret, and show it once; hints are signed by both for a while")
    .argument("<webhook>", "the endpoint's id")
    .option("--overlap <time>", "how long hints are signed by the former secret too: 90s, 30m, 24h, up to 30d", "24h")
    .addOption(new Option("--now", "no longer sign by the former secret, as after a leak").conflicts("overlap"))
    .action(
      onDatabase(context, async ({ sql, actor }, id: string, { overlap, now, ...consent }: Rotate) => {
        const { findWebhook, rotateWebhookSecret } = await import("@partner-connect/connections/webhooks");
        const seconds = now ? 0 : parseDuration(overlap, "--overlap");
        if (seconds > MAX_OVERLAP_SECONDS) throw new UsageError("the overlap must be 0 seconds to 30 days");
        const keys = await webhookKeysOf(context);
        const webhook = await findWebhook(sql, id);
        const former = now
          ? "hints are signed by the new one alone, and the partner refuses them until it is installed"
          : `hints are signed by the former one too for ${overlap} more`;
        // Only what breaks the partner's endpoint is asked about.
        const asked = now || consent.dryRun ? consent : { yes: true };
        return await carryOut(context, asked, [`Endpoint ${id} gets a new secret; ${former}.`], async () => {
          const rotated = await rotateWebhookSecret(sql, webhook, seconds, keys, actor);
          return secretAnswer(`Endpoint ${id} has a new secret; ${former}.`, rotated);
        });
      }),
    );
}

function secretAnswer(sentence: string, { webhook, secret }: NewSecret) {
  const former = webhook.secrets[1]?.expires_at ?? null;
  const { id, clientId, url } = webhook;
  return secretShownOnce({
    sentence,
    shown: [
      ["id", id],
      ["url", url],
      ["secret", secret],
    ],
    json: { id, client_id: clientId, url, secret, former_secret_expires_at: former },
    next: "Hand the secret to the partner",
  });
}

/** Endpoints' secrets are derived from these: from WEBHOOK_KEY_FILE, else a local stack's. @throws {WebhookError} WEBHOOK_KEY */
async function webhookKeysOf({ config }: Context): Promise<WebhookKeys> {
  const { parseWebhookKeys } = await import("@partner-connect/connections/webhooks");
  const local = () => readFile(join(config.dataDir, "webhook-key"), "utf8").catch(() => undefined);
  return parseWebhookKeys(config.webhookKey ?? (config.databaseUrl === undefined ? await local() : undefined));
}

/** Which addresses may be endpoints: this machine's with a local stack alone, or where the worker is told so too. */
function egressOf({ config }: Context): Egress {
  return { allowLoopback: config.webhookLoopback || config.databaseUrl === undefined };
}
