import { type Html, html } from "@partner-connect/service-runtime/html";
import { accountView } from "../../merchant-page/frame/account.view.ts";
import { layout } from "../../merchant-page/frame/layout.ts";
import { named, plainName } from "../../merchant-page/frame/name.ts";
import type { Locale } from "../../merchant-page/texts/locale.ts";
import { pair } from "./app-identity.view.ts";
import { reasons } from "./reasons.view.ts";
import type { ShownAuthorization } from "./shown-authorization.ts";

/** The page of a merchant who has no shop that can be chosen: why, and the way back to the app. */
export function noChoiceView(view: ShownAuthorization, locale: Locale): Html {
  const { consent, nothingToGrant } = locale.texts;
  const app = named(view.app.name);
  const noShop = view.offers.length === 0;
  return layout({
    locale,
    title: consent.title(plainName(view.app.name)),
    width: "narrow",
    account: accountView(view.account, locale.texts),
    main: html`<section class="card">
${pair(view.app)}
<h1>${noShop ? consent.noShops : nothingToGrant.title(view.offers.length)}</h1>
<p class="lead">${noShop ? consent.noShopsLead : nothingToGrant.lead(app)}</p>
${!noShop && reasons(view, locale)}
<form method="post" action="${view.action}">
<input type="hidden" name="token" value="${view.token}">
<div class="actions">
<button class="primary" name="decision" value="decline"><span>${consent.back(app)}</span></button>
</div>
</form>
</section>`,
  });
}
