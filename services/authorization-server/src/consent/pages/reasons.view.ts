import { type Html, html } from "@partner-connect/service-runtime/html";
import { named } from "../../merchant-page/frame/name.ts";
import type { Locale } from "../../merchant-page/texts/locale.ts";
import { shopList } from "../offers/shop-list.ts";
import type { ShopOffer } from "../offers/shop-offer.ts";
import type { ShownAuthorization } from "./shown-authorization.ts";

/** Shops that are named under one reason. */
const NAMED = 5;

/** Why nothing can be granted, each reason with its shops. */
export function reasons(view: ShownAuthorization, locale: Locale): Html {
  const { listed } = shopList(view.offers, "", locale.tag);
  const byReason = Map.groupBy(listed, (offer) => reason(offer, view, locale));
  return html`<ul class="reasons">${[...byReason].map(
    ([text, offers]) => html`<li><p>${text}</p>
<ul class="plain">${offers.slice(0, NAMED).map(({ shop }) => html`<li>${named(shop.name)}</li>`)}
${offers.length > NAMED && html`<li>${locale.texts.nothingToGrant.more(offers.length - NAMED)}</li>`}</ul></li>`,
  )}</ul>`;
}

function reason({ obstacle, shop }: ShopOffer, { requested }: ShownAuthorization, locale: Locale): string {
  const texts = locale.texts.nothingToGrant;
  if (obstacle === "held") return texts.held;
  if (requested.length === 0) return texts.notAllowed;
  const asked = requested.map((value) => locale.texts.scope[value].title).join("; ");
  return texts.notInPlan(asked, locale.texts.plan[shop.plan]);
}
