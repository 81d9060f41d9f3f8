import type { Merchant } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyReply } from "fastify";
import { pair } from "../pages/app-identity.ts";
import { formToken } from "../pages/csrf.ts";
import type { Locale } from "../pages/frame.ts";
import { layout } from "../pages/frame.ts";
import { named, plainName } from "../pages/names.ts";
import { sendPage } from "../pages/send-page.ts";
import { authorizationPath } from "./authorization.ts";
import { CONSENT_PROBLEMS, type ConsentProblem, type ConsentView, consentView } from "./consent.view.ts";
import { chosenOffer, isSelectable, type ShopOffer, shopList, shopOffers } from "./shop-offers.ts";

interface ShownConsent {
  readonly merchant: Merchant;
  readonly search: string;
  /** What was posted for the shop that was chosen before; the empty string if none was. */
  readonly chosen: string;
  readonly problem?: ConsentProblem;
}

/** @throws the fault, if some shop can't be read and no other can be chosen */
export async function showConsentPage(
  reply: FastifyReply,
  { merchant, search, chosen, problem }: ShownConsent,
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
  const { consent, nothingToGrant } = locale.texts;
  const { client } = view.authorization;
  const app = named(client.name);
  const noShop = view.offers.length === 0;
  return layout(
    locale,
    { title: consent.title(plainName(client.name)) },
    html`<section class="card">
${pair(client)}
<h1>${noShop ? consent.noShops : nothingToGrant.title(view.offers.length)}</h1>
<p class="lead">${noShop ? consent.noShopsLead : nothingToGrant.lead(app)}</p>
${!noShop && reasons(view, locale)}
<form method="post" action="${authorizationPath(view.authorization)}">
<input type="hidden" name="token" value="${view.token}">
<div class="actions">
<button class="primary" name="decision" value="decline"><span>${consent.back(app)}</span></button>
</div>
</form>
</section>`,
  );
}

/** Shops that are named under one reason. */
const NAMED = 5;

function reasons(view: ConsentView, locale: Locale): Html {
  const { listed } = shopList(view.offers, "", locale.tag);
  const byReason = Map.groupBy(listed, (offer) => reason(offer, view, locale));
  return html`<ul class="reasons">${[...byReason].map(
    ([text, offers]) => html`<li><p>${text}</p>
<ul class="plain">${offers.slice(0, NAMED).map(({ shop }) => html`<li>${named(shop.name)}</li>`)}
${offers.length > NAMED && html`<li>${locale.texts.nothingToGrant.more(offers.length - NAMED)}</li>`}</ul></li>`,
  )}</ul>`;
}

function reason({ obstacle, shop }: ShopOffer, { requested }: ConsentView, locale: Locale): string {
  const texts = locale.texts.nothingToGrant;
  if (obstacle === "held") return texts.held;
  if (requested.length === 0) return texts.notAllowed;
  const asked = requested.map((value) => locale.texts.scope[value].title).join("; ");
  return texts.notInPlan(asked, locale.texts.plan[shop.plan]);
}
