import { type Html, html } from "@partner-connect/service-runtime/html";
import { pair } from "../pages/app-identity.view.ts";
import { layout } from "../pages/layout.ts";
import type { Locale } from "../pages/locale.ts";
import { named, plainName } from "../pages/name.ts";
import { authorizationPath } from "./authorization-paths.ts";
import type { ConsentView } from "./consent-view.ts";
import { shopList } from "./shop-list.ts";
import type { ShopOffer } from "./shop-offer.ts";

/** The page of a merchant who has no shop that can be chosen: why, and the way back to the app. */
export function noChoiceView(view: ConsentView, locale: Locale): Html {
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
