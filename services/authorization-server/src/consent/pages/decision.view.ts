import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { named } from "../../merchant-page/frame/name.ts";
import type { Locale } from "../../merchant-page/texts/locale.ts";
import type { ShopList } from "../offers/shop-list.ts";
import { isSelectable } from "../offers/shop-offer.ts";

/** The buttons, and above them which shop an approval is for: it describes the button that approves. */
export function decisionBar(list: ShopList, locale: Locale): Html {
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

/** One of several shops is shown when it is chosen, by the stylesheet (consent/styles/chosen-shop.css.ts). */
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
