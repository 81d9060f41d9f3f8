import { offerValue, type ShopOffer } from "../shop-offer.ts";
import type { Locale } from "../texts/locale.ts";
import { scopeList } from "./format.ts";
import { type Html, type HtmlValue, html } from "./html.ts";
import { named } from "./name.ts";

/** One radio per shop, labelled with the shop's name alone; the rest describes it. */
export function shopChoice(offer: ShopOffer, index: number, checked: boolean, locale: Locale): Html {
  const { texts } = locale;
  const { shop, obstacle, connection } = offer;
  const id = `shop-${index}`;
  return html`<li class="shop${obstacle !== null && " barred"}">
<input type="radio" name="shop" id="${id}" value="${offerValue(offer)}" aria-describedby="${id}-about" required${checked && html` checked`}${obstacle !== null && html` disabled`}>
<div>
<label for="${id}">${named(shop.name)}</label>
<div id="${id}-about" class="about">
<p class="fine">${shop.domain !== null && html`${named(shop.domain)} · `}${texts.plan[shop.plan]}${connection !== null && html` <strong class="tag">${texts.consent.connectedNow}</strong>`}</p>
${consequences(offer, locale)}
</div>
</div>
</li>`;
}

function consequences(offer: ShopOffer, locale: Locale): HtmlValue {
  const texts = locale.texts.consent;
  const plan = locale.texts.plan[offer.shop.plan];
  if (offer.obstacle === "held") return html`<p>${texts.held}</p>`;
  if (offer.obstacle === "nothing_to_grant") return html`<p>${texts.nothingToGrant(plan)}</p>`;
  const { unavailable, connection, added, dropped } = offer;
  return [
    unavailable.length > 0 && html`<p>${texts.unavailable(scopeList(unavailable, locale), plan)}</p>`,
    connection !== null &&
      html`<p>${texts.hasNow} ${scopeList(connection.scope, locale)}. ${texts.reconnect}
${added.length > 0 && html`${texts.adds} ${scopeList(added, locale)}. `}${dropped.length > 0 && html`${texts.drops} ${scopeList(dropped, locale)}. `}${added.length + dropped.length === 0 && texts.unchanged}</p>`,
  ];
}
