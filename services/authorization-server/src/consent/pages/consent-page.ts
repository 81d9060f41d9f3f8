import type { Merchant } from "@partner-connect/directory";
import type { FastifyReply, FastifyRequest } from "fastify";
import { sendMerchantPage } from "../../merchant-page/frame/send-merchant-page.ts";
import type { Texts } from "../../merchant-page/texts/texts.ts";
import type { ConsentContext } from "../consent-context.ts";
import { chosenOffer, isSelectable } from "../offers/shop-offer.ts";
import { shopOffers } from "../offers/shop-offers.query.ts";
import { authorizationPath, formTargets, returnHost } from "../request/authorization-paths.ts";
import type { PendingAuthorization } from "../request/pending-authorization.ts";
import { consentView } from "./consent.view.ts";
import { noChoiceView } from "./no-choice.view.ts";

/** Why a decision was refused. The page is shown again with it. */
export interface ConsentProblem {
  readonly status: number;
  /** For the log: a word of a bounded set. */
  readonly reason: string;
  readonly text: (texts: Texts["consent"]) => string;
  /** The shop that stays chosen. */
  readonly chosenShopId: string | null;
}

export interface ShownConsent {
  readonly merchant: Merchant;
  /** What the merchant searches for among the shops; the empty string if nothing. */
  readonly search: string;
  /** What was posted for the shop that was chosen before; the empty string if none was. */
  readonly chosen: string;
  readonly problem?: ConsentProblem;
}

export async function showConsentPage(
  context: ConsentContext,
  request: FastifyRequest,
  reply: FastifyReply,
  pending: PendingAuthorization,
  { merchant, search, chosen, problem }: ShownConsent,
): Promise<FastifyReply> {
  const offers = await shopOffers(context, merchant.id, pending, request.log);
  const action = authorizationPath(pending);
  const token = context.formTokens.issue(request, reply, action);
  const view = {
    app: pending.client,
    host: returnHost(pending),
    requested: pending.scope.filter((value) => pending.client.scope.includes(value)),
    offers,
    search,
    unusedSeconds: context.refreshTokenTtlSeconds,
    chosenShopId: problem?.chosenShopId ?? chosenOffer(offers, chosen)?.offer.shop.id ?? null,
    action,
    lookPath: authorizationPath(pending, "/look"),
    token,
    account: { merchant, signOutPath: authorizationPath(pending, "/sign-out"), token, purpose: "use_another" as const },
  };
  const page = offers.some(isSelectable) ? consentView : noChoiceView;
  return sendMerchantPage(
    reply,
    (locale) => page({ ...view, problem: problem?.text(locale.texts.consent) ?? null }, locale),
    { status: problem?.status ?? 200, formTargets: formTargets(pending) },
  );
}
