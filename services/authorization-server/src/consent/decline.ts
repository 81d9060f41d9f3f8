import { AUTHORIZATION_ERRORS } from "@partner-connect/public-api";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import { endedPage } from "./authorization-step.ts";
import type { ConsentContext } from "./consent-context.ts";
import type { PendingAuthorization } from "./pending-authorization.ts";
import { returnToPartner } from "./return-to-partner.ts";

/** Declines the authorization and tells the partner so. The browser that began it may decline it without signing in. */
export async function decline(
  context: ConsentContext,
  request: FastifyRequest,
  reply: FastifyReply,
  pending: PendingAuthorization,
): Promise<FastifyReply> {
  if (!(await context.decisions.claim(pending, ["decline"])).counts) return endedPage(reply);
  await context.decisions.finish(pending);
  noteFacts(request, { outcome: "declined" });
  const error = { error: AUTHORIZATION_ERRORS.accessDenied, error_description: "the merchant declined" };
  return returnToPartner(context, reply, pending, error);
}
