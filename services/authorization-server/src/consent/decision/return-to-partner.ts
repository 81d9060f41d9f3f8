import type { FastifyReply } from "fastify";
import { redirectLocation } from "../../authorization-response/redirect-location.ts";
import { sendMerchantPage } from "../../merchant-page/frame/send-merchant-page.ts";
import type { ConsentContext } from "../consent-context.ts";
import type { PendingAuthorization } from "../request/pending-authorization.ts";
import { returnView } from "./return-to-partner.view.ts";

/** Redirects to the partner (spec, Outcomes), with a page for a browser that does not follow the redirect. */
export function returnToPartner(
  context: ConsentContext,
  reply: FastifyReply,
  pending: PendingAuthorization,
  parameters: Readonly<Record<string, string>>,
): FastifyReply {
  const { redirectUri, state } = pending;
  const location = redirectLocation(redirectUri, { ...parameters, state, iss: context.issuer });
  reply.header("location", location);
  return sendMerchantPage(reply, (locale) => returnView({ app: pending.client.name, location }, locale), {
    status: 302,
  });
}
