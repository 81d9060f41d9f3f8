import { tracing } from "@partner-connect/service-runtime/tracing";
import { type DueEndpoint, dueEndpoints } from "@partner-connect/webhooks";
import { type HintSender, sendHint } from "./send-hint.ts";

const POLL_MS = 200;

/**
 * How many endpoints are sent to at a time. A dead one holds a place for five seconds. Those whose last attempt failed have places of
 * their own, so that they never keep the others waiting.
 */
const PLACES = { working: 192, failing: 64 } as const;

export interface WebhookSender {
  /** Ends after the attempts under way. */
  close(): Promise<void>;
}

/** Sends hints as they are due. Any number of processes may do so: an endpoint's row has a lease. */
export function startWebhookSender(sender: HintSender): WebhookSender {
  const underWay = new Map<string, { readonly isFailing: boolean; readonly done: Promise<void> }>();
  const end = Promise.withResolvers<void>();
  let isEnding = false;

  const begin = (due: DueEndpoint) => {
    const send = () => sendHint(sender, due);
    const attributes = { "partner_connect.client_id": due.clientId, "partner_connect.webhook_id": due.id };
    const sent = tracing()?.task("hint", attributes, send) ?? send();
    const done = sent.finally(() => underWay.delete(due.id));
    underWay.set(due.id, { isFailing: due.isFailing, done });
  };
  const look = async (isFailing: boolean, places: number) => {
    const busy = [...underWay.values()].filter((each) => each.isFailing === isFailing).length;
    if (busy >= places) return;
    const due = await dueEndpoints(sender.sql, isFailing, places);
    const free = due.filter(({ id }) => !underWay.has(id)).slice(0, places - busy);
    if (!isEnding) free.forEach(begin);
  };
  const turn = async () => {
    await look(false, PLACES.working);
    await look(true, PLACES.failing);
  };
  const run = async () => {
    let hasFailed = false;
    while (!isEnding) {
      try {
        await turn();
        hasFailed = false;
      } catch (error) {
        if (!hasFailed) sender.logger.warn({ err: error }, "which hints are due can't be read");
        hasFailed = true;
      }
      await Promise.race([end.promise, new Promise((resolve) => setTimeout(resolve, POLL_MS))]);
    }
  };
  const running = run();
  return {
    async close() {
      isEnding = true;
      end.resolve();
      await running;
      await Promise.all([...underWay.values()].map(({ done }) => done));
    },
  };
}
