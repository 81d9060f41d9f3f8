import {
  countWebhooks,
  type Delivery,
  type DueHint,
  dueHint,
  recordDelivery,
  signHint,
  testHint,
  type WebhookKeys,
} from "@partner-connect/connections/webhooks";
import type { Sql } from "@partner-connect/database";
import { addGauge, type Logger, type Registry } from "@partner-connect/service-runtime";
import type { Kind } from "../jobs.ts";
import { type HintEgress, postHint } from "./post-hint.ts";

export interface HintSender {
  readonly sql: Sql;
  readonly keys: WebhookKeys;
  readonly egress: HintEgress;
  readonly logger: Logger;
}

interface HintJob {
  readonly client_id: string;
  readonly id: string;
}

/**
 * Sends hints. A dead endpoint occupies a lane for five seconds, so endpoints whose last attempt
 * failed have their own lanes. Outcomes: `arrived`, `not_arrived`, and `nothing` if there was
 * nothing to send.
 */
export function hintKinds(sender: HintSender): Kind<never>[] {
  const send = async (due: DueHint | null) => (due ? await sendHint(sender, due) : "nothing");
  const run: Kind<HintJob>["run"] = async ({ data }) =>
    await send(await dueHint(sender.sql, data.client_id, data.id));
  const runTest: Kind<HintJob & { readonly hint: string }>["run"] = async ({ data }) =>
    await send(await testHint(sender.sql, data.client_id, data.id, data.hint));
  return [
    { kind: "webhook", lanes: 4, batch: 48, isOneAtATime: true, run },
    { kind: "webhook_retry", lanes: 2, batch: 32, isOneAtATime: true, run },
    { kind: "webhook_test", lanes: 1, batch: 16, run: runTest },
  ];
}

/** Sends a hint. If the process is killed, the job runs again and sends the same hint. */
async function sendHint({ sql, keys, egress, logger }: HintSender, due: DueHint): Promise<string> {
  const at = new Date();
  const headers = { ...signHint(keys, due.endpoint, due, at), "user-agent": "partner-connect" };
  const since = performance.now();
  const outcome = await postHint(due.endpoint.url, headers, due.body, egress).then(
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
  if (isPaused) logger.warn(fields, "an endpoint is paused, as hints failed");
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
    help: "Endpoints for hints. failing: active, and the last hint did not arrive.",
    labelNames: ["status"],
  });
}
