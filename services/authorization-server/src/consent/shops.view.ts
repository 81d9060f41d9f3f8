import { type Html, type HtmlValue, html } from "@partner-connect/html";
import type { Locale } from "../merchant-page/texts/locale.ts";
import { shopChoice } from "./shop-choice.view.ts";
import type { ShopList } from "./shop-list.ts";
import { isSelectable } from "./shop-offer.ts";
import type { ShownAuthorization } from "./shown-authorization.ts";

/** The form that searches is no part of the form that decides, which contains its field. */
const SEARCH_FORM = "search";

/** The shops to choose from. */
export function shops(view: ShownAuthorization, list: ShopList, locale: Locale): Html {
  const texts = locale.texts.consent;
  const only = list.all === 1;
  return html`<fieldset>
<legend>${only ? texts.oneShop : texts.chooseShop}</legend>
${list.isLong && search(view, list, locale)}
<ul class="shops${list.isLong && " long"}">${list.listed.map((offer, index) =>
    shopChoice(offer, index, isSelectable(offer) && (only || offer.shop.id === view.chosenShopId), locale),
  )}</ul>
${meanings(list, locale)}
</fieldset>`;
}

function search(view: ShownAuthorization, list: ShopList, locale: Locale): Html {
  const texts = locale.texts.consent;
  return html`<div class="search">
<label for="find">${texts.findShop}</label>
<div><input type="search" id="find" name="find" value="${list.search}" form="${SEARCH_FORM}" autocomplete="off"><button form="${SEARCH_FORM}">${texts.find}</button></div>
${list.search !== "" && html`<p role="status">${texts.found(list.listed.length, list.all)} <a href="${view.action}">${texts.showAll}</a></p>`}
</div>`;
}

/** Stands outside the form that decides. */
export function searchForm(view: ShownAuthorization, list: ShopList): HtmlValue {
  const { pathname, searchParams } = new URL(view.action, "https://any.example");
  return (
    list.isLong &&
    html`<form id="${SEARCH_FORM}" method="get" action="${pathname}">${[...searchParams].map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
    )}</form>`
  );
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
