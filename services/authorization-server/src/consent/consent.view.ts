import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { pair, publisher } from "../pages/app-identity.view.ts";
import { layout, notice } from "../pages/layout.ts";
import type { Locale } from "../pages/locale.ts";
import { named, plainName } from "../pages/name.ts";
import { authorizationPath, returnHost } from "./authorization-paths.ts";
import { CONSENT_PROBLEMS, type ConsentView } from "./consent-view.ts";
import { facts, shownOptional } from "./facts.view.ts";
import { type ShopList, shopList } from "./shop-list.ts";
import { isSelectable, OPTIONAL_SHOWN } from "./shop-offer.ts";
import { shops } from "./shops.view.ts";

const CONSENT_FORM = "consent";

/** The shop stands beside what is asked, or above it where the page is narrow. The decision stays in view, and names the shop. */
export function consentView(view: ConsentView, locale: Locale): Html {
  const texts = locale.texts.consent;
  const { authorization, problem } = view;
  const { client } = authorization;
  const optional = shownOptional(view);
  const list = shopList(view.offers, view.search, locale.tag, view.chosenShopId);
  return layout(
    locale,
    {
      title: texts.title(plainName(client.name)),
      width: "double",
      shownAgainBy: { form: CONSENT_FORM, path: authorizationPath(authorization, "/look") },
    },
    html`<section class="card asking">
${notice("problem", problem && texts[CONSENT_PROBLEMS[problem].text])}
<form method="post" action="${authorizationPath(authorization)}" class="consent" id="${CONSENT_FORM}">
<input type="hidden" name="token" value="${view.token}">
${optional.length > 0 && html`<input type="hidden" name="${OPTIONAL_SHOWN}" value="${optional.join(" ")}">`}
<input type="hidden" name="account" value="${view.merchantId}">
<div>
<div class="intro">
${pair(client)}
<h1>${texts.heading(named(client.name))}</h1>
${publisher(client, locale)}
<p class="lead">${texts.lead(html`<strong>${returnHost(authorization)}</strong>`)}</p>
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
  );
}

/** The buttons, and above them which shop an approval is for: it describes the button that approves. */
function decisionBar(list: ShopList, locale: Locale): Html {
  const texts = locale.texts.consent;
  const canApprove = list.listed.some(isSelectable);
  return html`<div class="decision">
${canApprove && html`<p class="for" id="for">${shopsToApprove(list, locale)}</p>`}
<div class="actions">
${canApprove && html`<button class="primary" name="decision" value="approve" aria-describedby="for">${texts.approve}</button>`}
<button name="decision" value="decline" formnovalidate>${texts.decline}</button>
</div>
</div>`;
}

/** One of several shops is shown when it is chosen, by the stylesheet (chosen-shop.css.ts). */
function shopsToApprove({ listed, all }: ShopList, locale: Locale): HtmlValue {
  const { approveFor, chooseFirst } = locale.texts.consent;
  const [only] = listed;
  if (only && all === 1) return approveFor(named(only.shop.name));
  return [
    html`<span class="none">${chooseFirst}</span>`,
    ...listed.map((offer, index) =>
      isSelectable(offer) ? html`<span id="for-${index}">${approveFor(named(offer.shop.name))}</span>` : null,
    ),
  ];
}
