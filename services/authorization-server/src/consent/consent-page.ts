import type { Merchant } from "@partner-connect/directory";
import type { FastifyReply } from "fastify";
import { sendMerchantPage } from "../pages/send-merchant-page.ts";
import { authorizationPath } from "./authorization-paths.ts";
import { consentView } from "./consent.view.ts";
import type { ConsentContext } from "./consent-context.ts";
import { CONSENT_PROBLEMS, type ConsentProblem } from "./consent-view.ts";
import { noChoiceView } from "./no-choice.view.ts";
import type { OpenAuthorization } from "./sealed-request.ts";
import { chosenOffer, isSelectable } from "./shop-offer.ts";
import { shopOffers } from "./shop-offers.query.ts";

interface ShownConsent {
  readonly merchant: Merchant;
  readonly search: string;
  /** What was posted for the shop that was chosen before; the empty string if none was. */
  readonly chosen: string;
  readonly problem?: ConsentProblem;
}

/** @throws the fault, if some shop can't be read and no other can be chosen */
export async function showConsentPage(
  context: ConsentContext,
  reply: FastifyReply,
  authorization: OpenAuthorization,
  { merchant, search, chosen, problem }: ShownConsent,
): Promise<FastifyReply> {
  const offers = await shopOffers(context, merchant.id, authorization, reply.request.log);
  const token = context.formTokens.issue(reply, authorizationPath(authorization));
  const before = chosenOffer(offers, chosen);
  const view = {
    authorization,
    merchantId: merchant.id,
    requested: authorization.scope.filter((value) => authorization.client.scope.includes(value)),
    offers,
    search,
    chosenShopId: before?.offer.shop.id ?? null,
    leftOut: before ? before.offer.scope.filter((value) => !before.scope.includes(value)) : [],
    unusedSeconds: context.refreshTokenTtlSeconds,
    token,
    problem: problem ?? null,
  };
  const page = offers.some(isSelectable) ? consentView : noChoiceView;
  return sendMerchantPage(reply, (locale) => page(view, locale), {
    status: problem ? CONSENT_PROBLEMS[problem].status : 200,
    leadsToPartner: true,
    account: { merchant, signOutPath: authorizationPath(authorization, "/sign-out"), token, purpose: "use_another" },
  });
}
