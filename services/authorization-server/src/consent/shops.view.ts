import type { Scope } from "@partner-connect/contract";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import type { Locale } from "../pages/frame.ts";
import { named } from "../pages/names.ts";
import { authorizationPath, type OpenAuthorization } from "./authorization.ts";
import { isSelectable, offerValue, type ShopList, type ShopOffer } from "./shop-offers.ts";

interface ShopsView {
  readonly authorization: OpenAuthorization;
  /** The shop that was chosen before the page was shown again. */
  readonly chosenShopId: string | null;
}

export function shops(view: ShopsView, list: ShopList, locale: Locale): Html {
  const texts = locale.texts.consent;
  const only = list.all === 1;
  return html`<fieldset>
<legend><h2>${only ? texts.oneShop : texts.chooseShop}</h2></legend>
${list.isLong && search(view, list, locale)}
${list.listed.length > 0 && html`<ul class="shops${list.isLong && " long"}">${list.listed.map((offer, index) => shopChoice(offer, index, isSelectable(offer) && (only || offer.shop.id === view.chosenShopId), view, locale))}</ul>`}
${meanings(list, locale)}
</fieldset>`;
}

/** Its buttons send the whole form, so that the choice that was made before stays made (consent.route.ts). */
function search(view: ShopsView, list: ShopList, locale: Locale): Html {
  const texts = locale.texts.consent;
  const lookAgain = html`formaction="${authorizationPath(view.authorization, "/look")}" formnovalidate`;
  return html`<div class="search">
<label for="find">${texts.findShop}</label>
<div><input type="search" id="find" name="find" value="${list.search}" autocomplete="off"><button ${lookAgain}>${texts.find}</button></div>
<p role="status" id="found" tabindex="-1">${list.found === 0 ? texts.foundNone : texts.found(list.found, list.all)}${
    list.search !== "" && html` <button class="link" name="all" value="all" ${lookAgain}>${texts.showAll}</button>`
  }</p>
</div>`;
}

/** Why some of the listed shops can't be chosen: each reason once, as the shops have only its name. */
function meanings({ listed }: ShopList, locale: Locale): HtmlValue {
  const texts = locale.texts.consent;
  const line = (is: string, meaning: Html) =>
    listed.some(({ obstacle }) => obstacle === is) && html`<p class="meaning">${meaning}</p>`;
  return [
    line("held", texts.pausedMeans),
    line("nothing_to_grant", texts.unavailableMeans),
    line("away", texts.awayMeans),
  ];
}

/** The radio of one shop. Its label is the shop's name alone; the other texts are its description. */
function shopChoice(offer: ShopOffer, index: number, checked: boolean, view: ShopsView, locale: Locale): Html {
  const { texts } = locale;
  const { shop, obstacle } = offer;
  const id = `shop-${index}`;
  const state = [checked && html` checked`, obstacle !== null && html` disabled`];
  return html`<li class="shop${obstacle !== null && " barred"}">
<input type="radio" name="shop" id="${id}" value="${offerValue(offer)}" aria-describedby="${id}-state ${id}-about" required${state}>
<div class="name"><label for="${id}">${named(shop.name)}</label><span id="${id}-state">${tag(offer, locale)}</span></div>
<div id="${id}-about" class="about">
<p>${shop.domain !== null && html`<span class="domain">${named(shop.domain)}</span> `}<span class="plan">${texts.plan[shop.plan]}</span></p>
${changes(offer, view, locale)}
</div>
</li>`;
}

function tag({ obstacle, connection }: ShopOffer, locale: Locale): HtmlValue {
  const texts = locale.texts.consent;
  if (obstacle === "held")
    return html`<strong class="tag muted">${locale.texts.connectedApps.status.disabled}</strong>`;
  if (obstacle === "nothing_to_grant") return html`<strong class="tag muted">${texts.unavailable}</strong>`;
  if (obstacle === "away") return html`<strong class="tag muted">${texts.away}</strong>`;
  return connection !== null && html`<strong class="tag">${locale.texts.connectedApps.status.connected}</strong>`;
}

function changes({ obstacle, connection, added, dropped }: ShopOffer, view: ShopsView, locale: Locale): HtmlValue {
  if (connection === null || obstacle !== null) return null;
  const texts = locale.texts.consent;
  const { optionalScope } = view.authorization.client;
  const title = (value: Scope) =>
    `${locale.texts.scope[value].title}${optionalScope.includes(value) ? ` (${texts.optional})` : ""}`;
  const line = (label: string, scope: readonly Scope[]) =>
    scope.length > 0 && html`<p class="effect"><b>${label}</b> ${scope.map(title).join("; ")}</p>`;
  return [
    line(texts.allowedNow, connection.scope),
    line(texts.adds, added),
    line(texts.drops, dropped),
    html`<p class="effect">${added.length + dropped.length === 0 && html`${texts.unchanged} `}${texts.replaces}</p>`,
  ];
}
