import { setTimeout as sleep } from "node:timers/promises";
import { PartnerConnectError, type PendingAuthorization } from "@partner-connect/partner-sdk";
import type { FastifyInstance } from "fastify";
import { formToken } from "../http/sessions.ts";
import { sendPage } from "../page/layout.ts";
import type { Sample } from "../sample.ts";
import { dropPending, findPending } from "./connect.route.ts";
import { refusedCallback } from "./refused-callback.view.ts";

/** For the first copy of a small shop: its page then has something to show. A large one is copied while the merchant looks. */
const FIRST_COPY_MS = 3000;

async function firstCopy({ shops }: Sample, connectionId: string): Promise<void> {
  const end = Date.now() + FIRST_COPY_MS;
  while (Date.now() < end && shops.find(connectionId)?.syncedAt === null) await sleep(50);
}

export function callbackRoute(app: FastifyInstance, sample: Sample): void {
  const { partnerConnect, shops } = sample;
  app.get<{ Querystring: { state?: unknown } }>("/callback", async (request, reply) => {
    const pending = findPending(request, request.query.state);
    try {
      const connection = await partnerConnect.completeAuthorization(request.url, pending);
      shops.remember(connection);
      endAttempt(pending);
      request.session.done = `${connection.shop.name} is connected.`;
      await firstCopy(sample, connection.id);
      // Away from this URL, which has a code in it.
      return reply.redirect(`/shops/${connection.id}`, 303);
    } catch (error) {
      // The SDK goes on where it stopped, so opening this URL again completes what was begun.
      if (!(error instanceof PartnerConnectError && error.isTemporary)) endAttempt(pending);
      return sendPage(reply, refusedCallback(error, formToken(reply)));
    }

    function endAttempt(attempt: PendingAuthorization | null): void {
      if (attempt && attempt.state === request.query.state) dropPending(request, attempt);
    }
  });
}
