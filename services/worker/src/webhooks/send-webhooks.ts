import {
  countWebhooks,
  type Delivery,
  type DueWebhook,
  dueWebhook,
  recordDelivery,
  signWebhook,
  testWebhook,
  type WebhookKeys,
} from "@partner-connect/connections/webhooks";
import type { Sql } from "@partner-connect/database";
import { addGauge, type Logger, type Registry } from "@partner-connect/service-runtime";
import type { Kind } from "../jobs.ts";
import { postWebhook, type WebhookEgress } from "./post-webhook.ts";

export interface WebhookSender {
  readonly sql: Sql;
  readonly keys: WebhookKeys;
  readonly egress: WebhookEgress;
  readonly logger: Logger;
}

interface WebhookJob {
  readonly client_id: string;
  readonly id: string;
}

/**
 * Jobs that send webhooks. A dead endpoint occupies a lane for five seconds, so endpoints whose
 * last attempt failed have their own lanes. Outcomes: `arrived`, `not_arrived`, and `nothing` if
 * there was nothing to send.
 */
export function webhookKinds(sender: WebhookSender): Kind<never>[] {
  const send = async (due: DueWebhook | null) => (due ? await sendWebhook(sender, due) : "nothing");
  const run: Kind<WebhookJob>["run"] = async ({ data }) =>
    await send(await dueWebhook(sender.sql, data.client_id, data.id));
  const runTest: Kind<WebhookJob & { readonly test: string }>["run"] = async ({ data }) =>
    await send(await testWebhook(sender.sql, data.client_id, data.id, data.test));
  return [
    { kind: "webhook", lanes: 4, batch: 48, isOneAtATime: true, run },
    { kind: "webhook_retry", lanes: 2, batch: 32, isOneAtATime: true, run },
    { kind: "webhook_test", lanes: 1, batch: 16, run: runTest },
  ];
}

/** Sends a webhook. If the process is killed, the job runs again and sends the same one. */
async function sendWebhook({ sql, keys, egress, logger }: WebhookSender, due: DueWebhook) {
  const at = new Date();
  const headers = { ...signWebhook(keys, due.endpoint, due, at), "user-agent": "partner-connect" };
  const since = performance.now();
  const outcome = await postWebhook(due.endpoint.url, headers, due.body, egress).then(
    (answer) => ({
      ...answer,
      error: isSuccess(answer.status) ? null : `it answered ${answer.status}`,
    }),
    (error) => ({ status: null, error: reasonOf(error), body: "", retryAfterSeconds: 0 }),
  );
  const { retryAfterSeconds, ...answer } = outcome;
  const milliseconds = Math.round(performance.now() - since);
  const delivery: Delivery = { id: due.id, at: at.toISOString(), milliseconds, ...answer };
  const isPaused = await recordDelivery(sql, due, delivery, retryAfterSeconds);
  const fields = {
    webhook_id: due.endpoint.id,
    client_id: due.endpoint.clientId,
    status: delivery.status,
  };
  if (isPaused) logger.warn(fields, "an endpoint was paused after failed webhooks");
  return delivery.error === null ? "arrived" : "not_arrived";
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** The reason of a failure in one line, without the URL. */
function reasonOf(error: Error & { code?: string }): string {
  const { name, code, message } = error;
  return name === "WebhookError" || code === undefined ? message : code;
}

/** The number of endpoints by status, which all processes report alike. */
export function webhookMetrics(registry: Registry, sql: Sql): void {
  const read = async () =>
    Object.entries(await countWebhooks(sql)).map(([status, count]) => [{ status }, count] as const);
  addGauge(registry, () => read().catch(() => []), {
    name: "partner_connect_webhooks",
    help: "Partners' webhook endpoints. failing: active, but the last webhook was not delivered.",
    labelNames: ["status"],
  });
}
