import { isDatabaseFault, type Sql } from "@partner-connect/database";
import type { Logger } from "@partner-connect/service-runtime";
import { traceCall } from "@partner-connect/service-runtime/tracing";
import {
  bodyOf,
  type ClaimedHint,
  claimHint,
  type Delivery,
  type DueEndpoint,
  recordDelivery,
  signHint,
  type WebhookKeys,
} from "@partner-connect/webhooks";
import { type HintEgress, postHint } from "./post-hint.ts";

export interface HintSender {
  readonly sql: Sql;
  readonly keys: WebhookKeys;
  readonly egress: HintEgress;
  readonly logger: Logger;
  readonly count: (outcome: "arrived" | "failed") => void;
}

/**
 * Sends what is due to one endpoint, and writes down what came of it. Killed in between, the claim ends by its time, and the same hint
 * is sent again.
 */
export async function sendHint({ sql, keys, egress, logger, count }: HintSender, due: DueEndpoint): Promise<void> {
  const { id, clientId } = due;
  try {
    const claimed = await claimHint(sql, due);
    if (!claimed) return;
    const delivery = await attempt(claimed, keys, egress);
    count(delivery.error === null ? "arrived" : "failed");
    const isPaused = await recordDelivery(sql, claimed, delivery);
    const fields = { webhook_id: id, client_id: clientId, status: delivery.status };
    if (isPaused) logger.warn(fields, "an endpoint is paused, as hints failed");
  } catch (error) {
    // Without the key, or the database, nothing is known of the endpoint.
    const level = isDatabaseFault(error) ? "warn" : "error";
    logger[level]({ err: error, webhook_id: id, client_id: clientId }, "a hint was not sent");
  }
}

async function attempt({ endpoint, hint }: ClaimedHint, keys: WebhookKeys, egress: HintEgress): Promise<Delivery> {
  const body = bodyOf(hint, endpoint.clientId);
  const at = new Date();
  const headers = { ...signHint(keys, endpoint, { id: hint.id, body }, at), "user-agent": "partner-connect" };
  const since = performance.now();
  const posted = postHint(endpoint.url, headers, body, egress);
  const arrived = posted.then(({ status }) => isSuccess(status) || Promise.reject({ code: status }));
  arrived.catch(() => {}); // where it has no span
  traceCall(() => "POST", { "http.request.method": "POST" }, arrived);
  const outcome = await posted.then(
    (answer) => ({
      ...answer,
      error: isSuccess(answer.status) ? null : `it answered ${answer.status}`,
    }),
    (error) => ({ status: null, error: reasonOf(error), body: "" }),
  );
  return { id: hint.id, at: at.toISOString(), milliseconds: Math.round(performance.now() - since), ...outcome };
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** One line, without the URL. */
function reasonOf(error: Error & { code?: string }): string {
  const { name, code, message } = error;
  return name === "WebhookError" || code === undefined ? message : code;
}
