import type { Merchant } from "@partner-connect/directory";
import type { FastifyReply, FastifyRequest } from "fastify";
import { redirectLocation } from "../authorization-response/redirect-location.ts";
import { field } from "../merchant-page/form-body.ts";
import { hasToken, type MerchantContext, signedInMerchant } from "../merchant-page/merchant-context.ts";
import { redirectTo, sendPage } from "../merchant-page/send-merchant-page.ts";
import { localeOf } from "../merchant-page/texts/locale.ts";
import { approveConnection } from "./approve-connection.ts";
import { authorizationPath } from "./authorization-paths.ts";
import { endedPage } from "./authorization-step.ts";
import { type ConsentProblem, consentPage } from "./consent-page.ts";
import { handOverView } from "./decline.view.ts";
import type { PendingAuthorization } from "./pending-authorization.ts";
import { chosenOffer } from "./shop-offer.ts";
import { shopOffers } from "./shop-offers.query.ts";

/**
 * The merchant's answer. Everything that the page showed is judged again, as it is now; the first answer that passes
 * counts, and nothing is done for any other.
 */
export async function decide(
  context: MerchantContext,
  request: FastifyRequest,
  reply: FastifyReply,
  pending: PendingAuthorization,
): Promise<FastifyReply> {
  const merchant = await signedInMerchant(context, request);
  const isOurForm = hasToken(context, request, authorizationPath(pending));
  if (isOurForm && field(request.body, "decision") === "decline") {
    if (!(await context.decisions.claim(pending, ["decline"])).counts) return endedPage(reply);
    await context.decisions.finish(pending);
    request.log.info({ client: pending.client.clientId, merchant: merchant?.id }, "authorization declined");
    const answer = { error: "access_denied", error_description: "the merchant declined" };
    return handOver(context, request, reply, pending, answer);
  }
  if (!merchant) return redirectTo(reply, authorizationPath(pending));
  const refuse = async (problem: ConsentProblem) =>
    (await context.decisions.isFinished(pending))
      ? endedPage(reply)
      : await consentPage(context, request, reply, pending, merchant, problem);
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
  const outcome = await approveConnection(context, request, pending, { merchant, shop: offer.shop, scope });
  if (outcome.is === "held") return await refuse({ status: 409, problem: (texts) => texts.held });
  if (outcome.is === "ended") return endedPage(reply);
  return handOver(context, request, reply, pending, { code: outcome.code });
}

/** Onward to the partner (spec, Outcomes), with a page for a browser that doesn't follow by itself. */
function handOver(
  context: MerchantContext,
  request: FastifyRequest,
  reply: FastifyReply,
  pending: PendingAuthorization,
  answer: Readonly<Record<string, string>>,
): FastifyReply {
  const locale = localeOf(request.headers["accept-language"]);
  const location = redirectLocation(pending.redirectUri, { ...answer, state: pending.state, iss: context.issuer });
  reply.header("location", location);
  return sendPage(reply, locale, handOverView({ app: pending.client.name, location }, locale), { status: 302 });
}
