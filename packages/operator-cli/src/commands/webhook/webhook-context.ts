import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Egress, WebhookKeys } from "@partner-connect/webhooks";
import type { Context } from "../../run/context.ts";

/** Endpoints' secrets are derived from these: from WEBHOOK_KEY_FILE, else a local stack's. @throws {WebhookError} WEBHOOK_KEY */
export async function webhookKeysOf({ config }: Context): Promise<WebhookKeys> {
  const { parseWebhookKeys } = await import("@partner-connect/webhooks");
  const local = () => readFile(join(config.dataDir, "webhook-key"), "utf8").catch(() => undefined);
  return parseWebhookKeys(config.webhookKey ?? (config.databaseUrl === undefined ? await local() : undefined));
}

/** Which addresses may be endpoints: this machine's with a local stack alone, or where the notifier is told so too. */
export function egressOf({ config }: Context): Egress {
  return { allowLoopback: config.webhookLoopback || config.databaseUrl === undefined };
}
