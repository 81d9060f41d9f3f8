import type { Merchant } from "@partner-connect/directory";
import type { FastifyReply, FastifyRequest } from "fastify";
import { approveConnection } from "./approve-connection.ts";
import { type ConsentProblem, consentPage } from "./consent-page.ts";
import { field } from "./form-body.ts";
import { decisionPurpose, interactionPath } from "./interaction.ts";
import { hasToken, type MerchantContext, signedInMerchant } from "./merchant-context.ts";
import type { PendingAuthorization } from "./pending-authorization.ts";
import { redirectTo, sendPage } from "./send-page.ts";
import { chosenOffer } from "./shop-offer.ts";
import { shopOffers } from "./shop-offers.query.ts";
import { localeOf } from "./texts/locale.ts";
import { handOverView } from "./views/decline.view.ts";

/** The merchant's answer. Everything that the page showed is judged again, as it is now. */
export async function decide(
  context: MerchantContext,
  request: FastifyRequest,
  reply: FastifyReply,
  pending: PendingAuthorization,
): Promise<FastifyReply> {
  const merchant = await signedInMerchant(context, request);
  const isOurForm = hasToken(context, request, decisionPurpose(pending));
  if (isOurForm && field(request.body, "decision") === "decline") {
    request.log.info({ client: pending.client.clientId, merchant: merchant?.id }, "authorization declined");
    return handOver(request, reply, pending, await context.pending.decline(request, reply, pending));
  }
  if (!merchant) return redirectTo(reply, interactionPath(pending));
  const refuse = (problem: ConsentProblem) => consentPage(context, request, reply, pending, merchant, problem);
  if (!isOurForm) return await refuse({ status: 403, problem: (texts) => texts.outOfDate });
  return await judge(context, request, reply, pending, merchant, refuse);
}

async function judge(
  context: MerchantContext,
  request: FastifyRequest,
  reply: FastifyReply,
  pending: PendingAuthorization,
  merchant: Merchant,
  refuse: (problem: ConsentProblem) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  if (field(request.body, "account") !== merchant.id) {
    return await refuse({ status: 409, problem: (texts) => texts.otherAccount });
  }
  const posted = field(request.body, "shop");
  if (posted === "" || field(request.body, "decision") !== "approve") {
    return await refuse({ status: 422, problem: (texts) => texts.chooseFirst });
  }
  const chosen = chosenOffer(await shopOffers(context, merchant.id, pending), posted);
  if (!chosen || chosen.offer.obstacle !== null) {
    return await refuse({ status: 422, problem: (texts) => texts.notOffered });
  }
  const { scope, offer } = chosen;
  if (scope.length === 0) {
    return await refuse({ status: 409, problem: (texts) => texts.changed, chosenShopId: offer.shop.id });
  }
  const location = await approveConnection(context, request, reply, pending, { merchant, shop: offer.shop, scope });
  if (location === null) return await refuse({ status: 409, problem: (texts) => texts.held });
  request.log.info(
    { client: pending.client.clientId, merchant: merchant.id, shop: offer.shop.id, scope },
    "authorization approved",
  );
  return handOver(request, reply, pending, location);
}

/** Onward to the partner, with a page for a browser that doesn't follow by itself. */
function handOver(
  request: FastifyRequest,
  reply: FastifyReply,
  pending: PendingAuthorization,
  location: string,
): FastifyReply {
  const locale = localeOf(request.headers["accept-language"]);
  reply.header("location", location);
  return sendPage(reply, locale, handOverView({ app: pending.client.name, location }, locale), { status: 303 });
}
