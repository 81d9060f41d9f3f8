import { leastPlan, type Scope } from "@partner-connect/contract";
import { type Merchant, shownAddress } from "@partner-connect/directory";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { icon, iconPair, publisherFacts, scopeFact, statusTag } from "../pages/app-identity.ts";
import {
  ACCOUNT_FORM,
  cardPage,
  contactButton,
  contactUs,
  type Locale,
  notice,
} from "../pages/frame.ts";
import { address, isolatedName, plainName } from "../pages/names.ts";
import { CONNECTED_APPS_PATH } from "../pages/paths.ts";
import { type ShopList, shopList } from "../pages/shop-list.ts";
import { authorizationPath, type PendingAuthorization } from "./pending-authorization.ts";
import { isSelectable, type ShopOffer, shownField } from "./shop-offers.ts";

export interface ShownConsent {
  readonly merchant: Merchant;
  readonly search?: string;
  readonly page?: number;
  /** The id of the shop that was chosen before; empty if there was none. */
  readonly chosen: string;
  readonly problem?: ConsentProblem;
}

interface ConsentView extends ShownConsent {
  readonly authorization: PendingAuthorization;
  readonly offers: readonly ShopOffer[];
  /** Access ends after this many seconds without use. */
  readonly unusedSeconds: number;
  readonly token: string;
}

/** Why a decision is refused: the reason in the log, and the status and text of the page. */
export const CONSENT_PROBLEMS = {
  form_out_of_date: { status: 403, text: null },
  other_account: { status: 409, text: "changed" },
  nothing_chosen: { status: 422, text: "choose" },
  shop_not_offered: { status: 422, text: "notOffered" },
  offer_changed: { status: 409, text: "changed" },
  connection_disabled: { status: 409, text: "notOffered" },
} as const;

export type ConsentProblem = keyof typeof CONSENT_PROBLEMS;

const CONSENT_FORM = "consent";

/** The shops, the effect of approving the chosen one, the requested scopes, and the decision. */
export function consentView(view: ConsentView, locale: Locale): Html {
  const texts = locale.texts.consent;
  const { authorization, offers, problem, search = "", page = 1 } = view;
  const { client } = authorization;
  const only = offers.length === 1 ? offers[0] : undefined;
  const list = shopList(offers, {
    ...{ search, page, tag: locale.tag },
    name: ({ shop }) => shop.name,
    more: ({ shop }) => shownAddress(shop.domain ?? ""),
    keeps: ({ shop }) => shop.id === view.chosen,
  });
  const said = problem && CONSENT_PROBLEMS[problem].text;
  return cardPage(
    locale,
    {
      title: texts.title(plainName(client.name)),
      heading: texts.heading(
        isolatedName(client.name),
        only ? isolatedName(only.shop.name) : texts.yourShop,
      ),
      icon: iconPair(client, locale),
      shownAgainBy: { form: CONSENT_FORM, path: authorizationPath(authorization, "/look") },
    },
    html`${publisherFacts(client, locale)}
${notice(!said || said === "changed" ? "caution" : "problem", problem && (said === null ? locale.texts.frame.outOfDate : texts[said ?? "notOffered"]))}
<form method="post" action="${authorizationPath(authorization)}" class="consent" id="${CONSENT_FORM}">
<input type="hidden" name="token" value="${view.token}">
<input type="hidden" name="account" value="${view.merchant.id}">
${!only && shopChoices(view, list, locale)}
<div class="asked">
${accessFacts(view, locale)}
<p class="fine">${texts.willNever}<br>${texts.lead(html`<strong>${new URL(authorization.redirectUri).host}</strong>`)}</p>
</div>
${decisionButtons(list, locale)}
</form>`,
  );
}

function shopChoices(
  { authorization, chosen }: ConsentView,
  list: ShopList<ShopOffer>,
  locale: Locale,
): Html {
  const texts = locale.texts.consent;
  const lookAgain = html`formaction="${authorizationPath(authorization, "/look")}" formnovalidate`;
  const turn = (page: number, text: string) =>
    page >= 1 &&
    page <= list.pages &&
    html` <button class="link" name="page" value="${page}" ${lookAgain}>${text}</button>`;
  const { earlier, later, pageOf } = locale.texts.connectedApps;
  return html`<fieldset>
<legend><h2>${texts.shop}</h2></legend>
${
  list.isLong &&
  html`<div class="search">
<label for="find">${texts.findShop}</label>
<div><input type="search" id="find" name="find" value="${list.search}" autocomplete="off"><button ${lookAgain}>${texts.find}</button></div>
<p role="status" id="found" tabindex="-1">${texts.found(list.found, list.all)}${list.search !== "" && html` <button class="link" name="all" value="all" ${lookAgain}>${texts.showAll}</button>`}</p>
</div>`
}
${list.listed.length > 0 && html`<ul class="shops${list.isLong && " long"}">${list.listed.map((offer, index) => shopChoice(offer, index, isSelectable(offer) && offer.shop.id === chosen, locale))}</ul>`}
${list.pages > 1 && html`<p class="fine">${pageOf(list.page, list.pages)}${turn(list.page - 1, earlier)}${turn(list.page + 1, later)}</p>`}
</fieldset>`;
}

/** The radio of one shop, labelled by its name; the other texts describe it. */
function shopChoice(offer: ShopOffer, index: number, checked: boolean, locale: Locale): Html {
  const isBarred = offer.obstacle !== null;
  return html`<li class="shop${isBarred && " barred"}${offer.unavailable.length > 0 && " lacks"}">
${shopFields(offer, index, html`${checked && " checked"}${isBarred && " disabled"}`, locale)}
</li>`;
}

/** A shop's radio, its name, the scope that is shown, and its description. */
function shopFields(
  offer: ShopOffer,
  index: number,
  state: Html,
  locale: Locale,
  name = (label: Html) => label,
): Html {
  const { shop, obstacle, replaced } = offer;
  const { texts, frame } = locale;
  const id = `shop-${index}`;
  const why =
    obstacle &&
    html`<span class="fine why">${obstacleText(offer, locale)} ${contactUs(locale, frame.links.contact)}</span>`;
  return html`<input type="radio" name="shop" id="${id}" value="${shop.id}" aria-describedby="${id}-more" required${state}>
${name(html`<label for="${id}">${isolatedName(shop.name)}</label>`)}
<input type="hidden" name="${shownField(shop.id)}" value="${offer.scope.join(" ")}">
<div id="${id}-more"><span class="fine">${shop.domain !== null && html`${address(shop.domain)}<span class="sep">&nbsp;· </span>`}${texts.plan[shop.plan]}</span> ${obstacle === null && replaced && statusTag("connected", locale)}${why ?? effect(offer, locale)}</div>`;
}

/** Why a shop can't be chosen. `isOnly`: it is the only shop, so the text also says what to do. */
function obstacleText(offer: ShopOffer, locale: Locale, isOnly = false): string {
  const { consent } = locale.texts;
  return offer.obstacle === "disabled"
    ? consent.paused(locale.frame.productName)
    : needs(offer.unavailable, locale, isOnly ? "changePlan" : "needs");
}

function needs(scope: readonly Scope[], { texts }: Locale, as: "needs" | "changePlan" = "needs") {
  return texts.consent[as](texts.plan[leastPlan(scope)]);
}

/** The buttons, below the name of the only shop or, by means of CSS, of the chosen shop. */
function decisionButtons({ listed, all }: ShopList<ShopOffer>, locale: Locale): Html {
  const { approve, choose, decline, for: connecting } = locale.texts.consent;
  const name = (label: Html) => html`<p>${connecting(label)}</p>`;
  const line = (offer: ShopOffer, index: number) =>
    all === 1
      ? html`<div class="for">${shopFields(offer, index, html` checked tabindex="-1"`, locale, name)}</div>`
      : html`<div class="for" id="for-${index}">${name(html`<b>${isolatedName(offer.shop.name)}</b>`)}</div>`;
  return html`<div class="decision">${listed.map(line)}${all > 1 && html`<p class="for lead">${choose}</p>`}<div class="actions">
${listed.some(isSelectable) && html`<button class="primary" name="decision" value="approve">${approve}</button>`}
<button name="decision" value="decline" formnovalidate>${decline}</button>
</div></div>`;
}

/** What an approval changes. CSS shows only the chosen shop's text. */
function effect({ replaced, added, dropped }: ShopOffer, { texts, tag }: Locale): HtmlValue {
  const { renews, adds, drops } = texts.consent;
  const list = new Intl.ListFormat(tag, { type: "unit" });
  const line = (label: string, scope: readonly Scope[]) =>
    scope.length > 0 && ` ${label} ${list.format(scope.map((value) => texts.scope[value].title))}.`;
  const isSame = added.length + dropped.length === 0;
  if (!replaced) return null;
  return html`<span class="fine effect">${isSame && renews}${line(adds, added)}${line(drops, dropped)}</span>`;
}

/**
 * The scopes that an approval grants, and those that a shop's plan lacks. If shops differ, CSS
 * shows the chosen shop's. There are two plans, so a plan has all scopes that differ, or none.
 */
function accessFacts({ authorization, offers, unusedSeconds }: ConsentView, locale: Locale): Html {
  const texts = locale.texts.consent;
  const link = html`<a href="${CONNECTED_APPS_PATH}">${locale.texts.connectedApps.title}</a>`;
  const of = (key: "scope" | "unavailable") =>
    authorization.scope.filter((value) => offers.some((offer) => offer[key].includes(value)));
  const [granted, lacked] = [of("scope"), of("unavailable")];
  const byShop = (value: Scope) => granted.includes(value) && lacked.includes(value) && " by-shop";
  return html`<h2>${texts.wouldAllow}</h2>
<ul class="facts">${granted.map((value) => scopeFact(value, byShop(value), locale))}</ul>
${lacked.map((value) => html`<div class="lacking${byShop(value)}">${icon("none")}<div><strong>${locale.texts.scope[value].title}</strong><p class="fine">${texts.notIncluded}. ${needs([value], locale)}</p></div></div>`)}
<div class="fact">${icon("clock")}<p>${texts.lasts(link, duration(unusedSeconds, locale.tag))}</p></div>`;
}

/** A time span as readers of this language (BCP 47) write it: '30 days', '1 day, 12 hours'. */
function duration(seconds: number, tag: string): string {
  const parts = { days: Math.floor(seconds / 86_400), hours: Math.floor(seconds / 3600) % 24 };
  const rest = { minutes: Math.floor(seconds / 60) % 60, seconds: seconds % 60 };
  return new Intl.DurationFormat(tag, { style: "long" }).format({ ...parts, ...rest });
}

/** The page for a merchant who has no shop to choose: it says why, and leads back to the app. */
export function noChoiceView({ authorization, offers, token }: ConsentView, locale: Locale): Html {
  const { account, consent, plan } = locale.texts;
  const { client } = authorization;
  const app = isolatedName(client.name);
  const noShop = offers.length === 0;
  const [only] = offers.length === 1 ? offers : [];
  const reasons = new Set(offers.map((offer) => obstacleText(offer, locale, true)));
  return cardPage(
    locale,
    {
      title: consent.title(plainName(client.name)),
      heading: noShop ? consent.noShops : consent.cannot(app),
      icon: iconPair(client, locale),
    },
    html`${only && html`<p class="lead">${isolatedName(only.shop.name)} · ${plan[only.shop.plan]}</p>`}
${noShop ? html`<p class="lead">${consent.noShopsLead}</p>` : [...reasons].map((each) => html`<p class="lead">${each}</p>`)}
<form method="post" action="${authorizationPath(authorization)}">
<input type="hidden" name="token" value="${token}">
<div class="actions">
${noShop ? html`<button class="primary" form="${ACCOUNT_FORM}" name="where" value="here">${account.useAnother}</button>` : contactButton(locale, " primary")}
<button name="decision" value="decline"><span>${consent.backTo(app)}</span></button>
${noShop && contactButton(locale)}
</div>
</form>`,
  );
}
