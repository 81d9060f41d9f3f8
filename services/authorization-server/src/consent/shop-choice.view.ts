import type { Scope } from "@partner-connect/access-token";
import { type Html, type HtmlValue, html } from "../merchant-page/html.ts";
import { named } from "../merchant-page/name.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";
import { offerValue, type ShopOffer } from "./shop-offer.ts";

/** The radio of one shop. Its label is the shop's name alone; the other texts are its description. */
export function shopChoice(offer: ShopOffer, index: number, checked: boolean, locale: Locale): Html {
  const { texts } = locale;
  const { shop, obstacle, connection } = offer;
  const id = `shop-${index}`;
  const state = [checked && html` checked`, obstacle !== null && html` disabled`];
  return html`<li class="shop${obstacle !== null && " barred"}">
<input type="radio" name="shop" id="${id}" value="${offerValue(offer)}" aria-describedby="${id}-about" required${state}>
<div>
<label for="${id}">${named(shop.name)}</label>
<div id="${id}-about" class="about">
<p>${shop.domain !== null && html`${named(shop.domain)} · `}${texts.plan[shop.plan]}</p>
${connection !== null && html`<strong class="tag">${texts.consent.connectedNow}</strong>`}
${consequences(offer, locale)}
</div>
</div>
</li>`;
}

/** What an approval changes for this shop, or why the shop can't be chosen. */
function consequences(offer: ShopOffer, locale: Locale): HtmlValue {
  const texts = locale.texts.consent;
  const plan = locale.texts.plan[offer.shop.plan];
  if (offer.obstacle === "held") return html`<p class="effect">${texts.held}</p>`;
  if (offer.obstacle === "nothing_to_grant") return html`<p class="effect">${texts.nothingToGrant(plan)}</p>`;
  const { unavailable, connection, added, dropped } = offer;
  const titles = (scope: readonly Scope[]) => scope.map((value) => locale.texts.scope[value].title).join("; ");
  const line = (label: string, scope: readonly Scope[], reason?: string) =>
    scope.length > 0 &&
    html`<p class="effect"><b>${label}</b> ${titles(scope)}${reason !== undefined && ` (${reason})`}</p>`;
  return [
    connection !== null && [
      line(texts.allowedNow, connection.scope),
      line(texts.adds, added),
      line(texts.drops, dropped),
      added.length + dropped.length === 0 && html`<p class="effect">${texts.unchanged}</p>`,
    ],
    line(texts.notGranted, unavailable, texts.notInPlan(plan)),
  ];
}
