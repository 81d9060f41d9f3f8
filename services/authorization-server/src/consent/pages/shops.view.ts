import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import type { Locale } from "../../merchant-page/texts/locale.ts";
import type { ShopList } from "../offers/shop-list.ts";
import { isSelectable } from "../offers/shop-offer.ts";
import { shopChoice } from "./shop-choice.view.ts";
import type { ShownAuthorization } from "./shown-authorization.ts";

/** The shops to choose from. */
export function shops(view: ShownAuthorization, list: ShopList, locale: Locale): Html {
  const texts = locale.texts.consent;
  const only = list.all === 1;
  return html`<fieldset>
<legend>${only ? texts.oneShop : texts.chooseShop}</legend>
${list.isLong && search(view, list, locale)}
${list.listed.length > 0 && html`<ul class="shops${list.isLong && " long"}">${list.listed.map((offer, index) => shopChoice(offer, index, isSelectable(offer) && (only || offer.shop.id === view.chosenShopId), locale))}</ul>`}
${meanings(list, locale)}
</fieldset>`;
}

/** Its buttons send the whole form, so that the choice that was made before stays made (look-again.route.ts). */
function search(view: ShownAuthorization, list: ShopList, locale: Locale): Html {
  const texts = locale.texts.consent;
  const lookAgain = html`formaction="${view.lookPath}" formnovalidate`;
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
