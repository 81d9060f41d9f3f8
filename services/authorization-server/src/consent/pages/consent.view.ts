import { type Html, html } from "@partner-connect/service-runtime/html";
import { accountView } from "../../merchant-page/frame/account.view.ts";
import { layout, notice } from "../../merchant-page/frame/layout.ts";
import { named, plainName } from "../../merchant-page/frame/name.ts";
import type { Locale } from "../../merchant-page/texts/locale.ts";
import { shopList } from "../offers/shop-list.ts";
import { pair, publisher } from "./app-identity.view.ts";
import { decisionBar } from "./decision.view.ts";
import { facts } from "./facts.view.ts";
import { shops } from "./shops.view.ts";
import type { ShownAuthorization } from "./shown-authorization.ts";

const CONSENT_FORM = "consent";

/** The shop stands beside what is asked; where there is no room, above it. The decision stays in view, and names the shop. */
export function consentView(view: ShownAuthorization, locale: Locale): Html {
  const texts = locale.texts.consent;
  const app = named(view.app.name);
  const list = shopList(view.offers, view.search, locale.tag, view.chosenShopId);
  return layout({
    locale,
    title: texts.title(plainName(view.app.name)),
    width: "double",
    account: accountView(view.account, locale.texts),
    shownAgainBy: { form: CONSENT_FORM, path: view.lookPath },
    main: html`<section class="card asking">
${notice("problem", view.problem)}
<form method="post" action="${view.action}" class="consent" id="${CONSENT_FORM}">
<input type="hidden" name="token" value="${view.token}">
<input type="hidden" name="account" value="${view.account.merchant.id}">
<div>
<div class="intro">
${pair(view.app)}
<h1>${texts.heading(app)}</h1>
${publisher(view.app, locale)}
<p class="lead">${texts.lead(html`<strong>${view.host}</strong>`)}</p>
</div>
${shops(view, list, locale)}
</div>
<div class="answer">
<div class="asked">
${facts(view, locale)}
<p class="fine">${texts.willNever}</p>
</div>
${decisionBar(list, locale)}
</div>
</form>
</section>`,
  });
}
