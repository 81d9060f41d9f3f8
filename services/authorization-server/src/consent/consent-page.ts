import type { Merchant } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyReply } from "fastify";
import { formToken } from "../pages/csrf.ts";
import { cardPage, contactUs, type Locale, paused } from "../pages/frame.ts";
import { named, plainName } from "../pages/names.ts";
import { sendPage } from "../pages/send-page.ts";
import { authorizationPath } from "./authorization.ts";
import { CONSENT_PROBLEMS, type ConsentProblem, type ConsentView, consentView } from "./consent.view.ts";
import { chosenOffer, isSelectable, shopOffers } from "./shop-offers.ts";

interface ShownConsent {
  readonly merchant: Merchant;
  readonly search?: string;
  readonly page?: number;
  /** What was posted for the shop that was chosen before; the empty string if none was. */
  readonly chosen: string;
  readonly problem?: ConsentProblem;
}

/** @throws the fault, if some shop can't be read and no other can be chosen */
export async function showConsentPage(
  reply: FastifyReply,
  { merchant, search = "", page: shown = 1, chosen, problem }: ShownConsent,
): Promise<FastifyReply> {
  const { authorization } = reply.request;
  const offers = await shopOffers(reply.request, merchant.id);
  const before = chosenOffer(offers, chosen);
  const view = {
    authorization,
    merchantId: merchant.id,
    requested: authorization.scope.filter((value) => authorization.client.scope.includes(value)),
    offers,
    search,
    page: shown,
    chosenShopId: before?.offer.shop.id ?? null,
    leftOut: before ? before.offer.scope.filter((value) => !before.scope.includes(value)) : [],
    unusedSeconds: reply.server.config.tokens.refreshTokenTtl,
    token: formToken(reply, authorizationPath(authorization)),
    problem: problem ?? null,
  };
  const page = offers.some(isSelectable) ? consentView : noChoiceView;
  return sendPage(reply, (locale) => page(view, locale), {
    status: problem ? CONSENT_PROBLEMS[problem].status : 200,
    leadsToPartner: true,
    account: merchant,
    signOutPath: authorizationPath(authorization, "/sign-out"),
  });
}

/** The page of a merchant who has no shop that can be chosen: why, and the way back to the app. */
function noChoiceView(view: ConsentView, locale: Locale): Html {
  const { consent } = locale.texts;
  const { client } = view.authorization;
  const app = named(client.name);
  const noShop = view.offers.length === 0;
  return cardPage(
    locale,
    {
      title: consent.title(plainName(client.name)),
      heading: noShop ? html`${consent.noShops}` : consent.cannot(app),
      icon: client,
    },
    html`${noShop ? html`<p class="lead">${consent.noShopsLead}</p>` : reasons(view, locale)}
<form method="post" action="${authorizationPath(view.authorization)}">
<input type="hidden" name="token" value="${view.token}">
<div class="actions">
<button class="primary" name="decision" value="decline"><span>${consent.back(app)}</span></button>
</div>
</form>`,
  );
}

/** Shops that are named under one reason. */
const NAMED = 5;

/** Each once, with the shops that it is of where there are several. */
function reasons({ offers, requested, authorization }: ConsentView, locale: Locale): Html[] {
  const texts = locale.texts.consent;
  const { compare } = new Intl.Collator(locale.tag, { numeric: true });
  const byObstacle = Map.groupBy(offers, ({ obstacle }) => obstacle);
  const notInPlan = (shops: number) =>
    html`${texts.notInPlan(named(authorization.client.name), shops)} ${contactUs(texts.changePlan, locale)}`;
  return [...byObstacle].map(([obstacle, of]) => {
    const names = of.map(({ shop }) => shop.name).toSorted(compare);
    const why = obstacle === "held" ? paused(locale) : requested.length === 0 ? texts.notAllowed : notInPlan(of.length);
    return html`<p class="lead">${why}</p>
${
  offers.length > 1 &&
  html`<ul class="plain">${names.slice(0, NAMED).map((name) => html`<li>${named(name)}</li>`)}
${names.length > NAMED && html`<li>${texts.more(names.length - NAMED)}</li>`}</ul>`
}`;
  });
}
