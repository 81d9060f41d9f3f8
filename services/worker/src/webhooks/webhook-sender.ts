import { traceTask } from "@partner-connect/service-runtime/tracing";
import { dueEndpoints } from "@partner-connect/webhooks";
import { type Sender, startSender } from "../sending/start-sender.ts";
import { type HintSender, sendHint } from "./send-hint.ts";

const POLL_MS = 200;

/** A dead endpoint holds a place for five seconds. */
const PLACES = { working: 192, failing: 64 } as const;

/** Sends hints as they are due. An endpoint's row has a lease. */
export function startWebhookSender(sender: HintSender): Sender {
  return startSender({
    what: "hints",
    pollMs: POLL_MS,
    places: PLACES,
    logger: sender.logger,
    due: (isFailing, limit) => dueEndpoints(sender.sql, isFailing, limit),
    send: (due) => {
      const attributes = { "partner_connect.client_id": due.clientId, "partner_connect.webhook_id": due.id };
      return traceTask("hint", attributes, () => sendHint(sender, due));
    },
  });
}
