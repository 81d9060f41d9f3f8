import type { Scope } from "@partner-connect/access-token";
import { type AccountView, accountView } from "../merchant-page/account.view.ts";
import { type Html, type HtmlValue, html } from "../merchant-page/html.ts";
import { layout, notice } from "../merchant-page/layout.ts";
import { named, plainName } from "../merchant-page/name.ts";
import { CONNECTED_APPS_PATH } from "../merchant-page/paths.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";
import { pair } from "./pair.view.ts";
import { shopChoice } from "./shop-choice.view.ts";
import type { ShopOffer } from "./shop-offer.ts";

export interface ConsentView {
  readonly app: string;
  /** The host that the merchant returns to. */
  readonly host: string;
  readonly requested: readonly Scope[];
  readonly offers: readonly ShopOffer[];
  /** The shop that was chosen before the page was shown again. */
  readonly chosenShopId: string | null;
  readonly action: string;
  readonly token: string;
  readonly problem: string | null;
  readonly account: AccountView;
}

export function consentView(view: ConsentView, locale: Locale): Html {
  const texts = locale.texts.consent;
  const app = named(view.app);
  const none = view.offers.length === 0;
  return layout({
    locale,
    title: texts.title(plainName(view.app)),
    account: accountView(view.account, locale.texts),
    main: html`<section class="card">
${!none && pair(view.app)}
<h1>${none ? texts.noShops : texts.heading(app)}</h1>
<p class="lead">${none ? texts.noShopsLead : texts.lead(app, html`<strong>${view.host}</strong>`)}</p>
${notice("problem", view.problem)}
<form method="post" action="${view.action}">
<input type="hidden" name="token" value="${view.token}">
<input type="hidden" name="account" value="${view.account.merchant.id}">
${!none && [scopes(view, locale), shops(view, locale)]}
${!none && html`<p class="fine">${texts.willNever(app)} ${texts.ending(html`<a href="${CONNECTED_APPS_PATH}">${locale.texts.account.connectedApps}</a>`)}</p>`}
<div class="actions">
${view.offers.some(isSelectable) && html`<button class="primary" name="decision" value="approve">${texts.approve}</button>`}
<button name="decision" value="decline" formnovalidate>${texts.decline}</button>
</div>
</form>
</section>`,
  });
}

function scopes(view: ConsentView, locale: Locale): Html {
  const texts = locale.texts.consent;
  return html`<h2>${texts.asksTo(named(view.app))}</h2>
<ul class="scopes">${view.requested.map((value) => {
    const { title, does, doesNot } = locale.texts.scope[value];
    // No shop can grant it, so it must not look like something that an approval grants.
    const isWithheld = view.offers.every(({ scope }) => !scope.includes(value));
    return html`<li${isWithheld && html` class="withheld"`}><strong>${title}</strong>${isWithheld && html` <em>${texts.withheld}</em>`}<p>${does} ${doesNot}</p></li>`;
  })}</ul>`;
}

function shops(view: ConsentView, locale: Locale): HtmlValue {
  const texts = locale.texts.consent;
  const only = view.offers.length === 1;
  return html`<fieldset>
<legend>${only ? texts.oneShop : texts.chooseShop}</legend>
${!view.offers.some(isSelectable) && !only && html`<p>${texts.noneSelectable}</p>`}
<ul class="shops">${view.offers.map((offer, index) =>
    shopChoice(offer, index, isSelectable(offer) && (only || offer.shop.id === view.chosenShopId), locale),
  )}</ul>
</fieldset>`;
}

function isSelectable(offer: ShopOffer): boolean {
  return offer.obstacle === null;
}
