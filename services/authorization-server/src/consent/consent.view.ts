import { type Html, html } from "@partner-connect/html";
import { accountView } from "../merchant-page/account.view.ts";
import { layout, notice } from "../merchant-page/layout.ts";
import { named, plainName } from "../merchant-page/name.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";
import { pair, publisher } from "./app-identity.view.ts";
import { facts } from "./facts.view.ts";
import { shopList } from "./shop-list.ts";
import { isSelectable } from "./shop-offer.ts";
import { searchForm, shops } from "./shops.view.ts";
import type { ShownAuthorization } from "./shown-authorization.ts";

/** What is asked stands beside the answer; where there is no room, above it. The decision stays in view. */
export function consentView(view: ShownAuthorization, locale: Locale): Html {
  const texts = locale.texts.consent;
  const app = named(view.app.name);
  const list = shopList(view.offers, view.search, locale.tag);
  return layout({
    locale,
    title: texts.title(plainName(view.app.name)),
    width: "double",
    account: accountView(view.account, locale.texts),
    main: html`<section class="card asking">
${notice("problem", view.problem)}
<form method="post" action="${view.action}" class="consent">
<input type="hidden" name="token" value="${view.token}">
<input type="hidden" name="account" value="${view.account.merchant.id}">
<div class="intro">
${pair(view.app)}
<h1>${texts.heading(app)}</h1>
${publisher(view.app, locale)}
<p class="lead">${texts.lead(html`<strong>${view.host}</strong>`)}</p>
</div>
<div class="asked">
${facts(view, locale)}
</div>
<div class="answer">
${shops(view, list, locale)}
<p class="fine">${texts.willNever}</p>
<div class="actions decision">
${list.listed.some(isSelectable) && html`<button class="primary" name="decision" value="approve">${texts.approve}</button>`}
<button name="decision" value="decline" formnovalidate>${texts.decline}</button>
</div>
</div>
</form>
${searchForm(view, list)}
</section>`,
  });
}
