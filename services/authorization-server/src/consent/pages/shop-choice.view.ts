import type { Scope } from "@partner-connect/contract";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { named } from "../../merchant-page/frame/name.ts";
import type { Locale } from "../../merchant-page/texts/locale.ts";
import { offerValue, type ShopOffer } from "../offers/shop-offer.ts";

/** The radio of one shop. Its label is the shop's name alone; the other texts are its description. */
export function shopChoice(offer: ShopOffer, index: number, checked: boolean, locale: Locale): Html {
  const { texts } = locale;
  const { shop, obstacle } = offer;
  const id = `shop-${index}`;
  const state = [checked && html` checked`, obstacle !== null && html` disabled`];
  return html`<li class="shop${obstacle !== null && " barred"}">
<input type="radio" name="shop" id="${id}" value="${offerValue(offer)}" aria-describedby="${id}-state ${id}-about" required${state}>
<div class="name"><label for="${id}">${named(shop.name)}</label><span id="${id}-state">${tag(offer, locale)}</span></div>
<div id="${id}-about" class="about">
<p>${shop.domain !== null && html`<span class="domain">${named(shop.domain)}</span> `}<span class="plan">${texts.plan[shop.plan]}</span></p>
${changes(offer, locale)}
</div>
</li>`;
}

function tag({ obstacle, connection }: ShopOffer, locale: Locale): HtmlValue {
  const texts = locale.texts.consent;
  if (obstacle === "held") return html`<strong class="tag muted">${texts.paused}</strong>`;
  if (obstacle === "nothing_to_grant") return html`<strong class="tag muted">${texts.unavailable}</strong>`;
  if (obstacle === "away") return html`<strong class="tag muted">${texts.away}</strong>`;
  return connection !== null && html`<strong class="tag">${texts.connectedNow}</strong>`;
}

/** What an approval changes for a shop that is connected. */
function changes({ obstacle, connection, added, dropped }: ShopOffer, locale: Locale): HtmlValue {
  if (connection === null || obstacle !== null) return null;
  const texts = locale.texts.consent;
  const line = (label: string, scope: readonly Scope[]) =>
    scope.length > 0 &&
    html`<p class="effect"><b>${label}</b> ${scope.map((value) => locale.texts.scope[value].title).join("; ")}</p>`;
  return [
    line(texts.allowedNow, connection.scope),
    line(texts.adds, added),
    line(texts.drops, dropped),
    html`<p class="effect">${added.length + dropped.length === 0 && html`${texts.unchanged} `}${texts.replaces}</p>`,
  ];
}
