import type { Plan, Scope } from "@partner-connect/contract";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { pair, publisher } from "../pages/app-identity.ts";
import type { Locale } from "../pages/frame.ts";
import { layout, notice } from "../pages/frame.ts";
import { named, plainName } from "../pages/names.ts";
import { CONNECTED_APPS_PATH } from "../pages/paths.ts";
import { authorizationPath, type OpenAuthorization, returnHost } from "./authorization.ts";
import { isSelectable, OPTIONAL_SHOWN, optionalField, type ShopList, type ShopOffer, shopList } from "./shop-offers.ts";
import { shops } from "./shops.view.ts";

export interface ConsentView {
  readonly authorization: OpenAuthorization;
  readonly merchantId: string;
  readonly requested: readonly Scope[];
  readonly offers: readonly ShopOffer[];
  readonly search: string;
  /** The shop that was chosen before the page was shown again. */
  readonly chosenShopId: string | null;
  /** Of the optional scopes, what was left out before the page was shown again. */
  readonly leftOut: readonly Scope[];
  /** After how many seconds without use the access ends. */
  readonly unusedSeconds: number;
  readonly token: string;
  readonly problem: ConsentProblem | null;
}

/** Why a decision is refused: for the log, and the status and the text of the page that is then shown again. */
export const CONSENT_PROBLEMS = {
  form_out_of_date: { status: 403, text: "outOfDate" },
  other_account: { status: 409, text: "otherAccount" },
  nothing_chosen: { status: 422, text: "chooseFirst" },
  shop_not_offered: { status: 422, text: "notOffered" },
  offer_changed: { status: 409, text: "changed" },
  nothing_left: { status: 422, text: "nothingLeft" },
  connection_disabled: { status: 409, text: "held" },
} as const;

export type ConsentProblem = keyof typeof CONSENT_PROBLEMS;

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
      width: "wide",
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

function facts(view: ConsentView, locale: Locale): Html {
  const { texts } = locale;
  const link = html`<a href="${CONNECTED_APPS_PATH}">${texts.connectedApps.title}</a>`;
  const lasting = texts.consent.ending(link, duration(view.unusedSeconds, locale.tag));
  return html`<h2>${texts.consent.wouldAllow}</h2>
<ul class="facts">${view.requested.map((value) => scopeFact(value, view, locale))}
<li>${icon("clock")}<div><strong>${texts.consent.lasts}</strong><p>${lasting}</p></div></li>
</ul>`;
}

function scopeFact(value: Scope, view: ConsentView, locale: Locale): Html {
  const { title, does, personalData, doesNot } = locale.texts.scope[value];
  const lacking = view.offers.filter(({ unavailable }) => unavailable.includes(value));
  // No shop can grant it, so it must not look like something that an approval grants.
  const isWithheld = view.offers.every(({ scope }) => !scope.includes(value));
  const warning =
    personalData !== null &&
    !isWithheld &&
    html`<p class="personal-data">${icon("person")}<span><b>${locale.texts.consent.personalData}</b> ${personalData}</span></p>`;
  return html`<li${isWithheld && html` class="withheld"`}>${icon(value)}<div><strong>${title}</strong>
<p>${does} ${doesNot}</p>
${warning}
${shownOptional(view).includes(value) && choice(value, view, locale)}
${restriction(new Set(lacking.map(({ shop }) => shop.plan)), isWithheld, locale)}</div></li>`;
}

/** What the merchant may leave out, as far as some shop can grant it. */
function shownOptional({ authorization, requested, offers }: ConsentView): Scope[] {
  const { optionalScope } = authorization.client;
  return requested.filter(
    (value) => optionalScope.includes(value) && offers.some(({ scope }) => scope.includes(value)),
  );
}

/** It is allowed unless the merchant takes the tick away. */
function choice(value: Scope, { leftOut }: ConsentView, locale: Locale): Html {
  const id = `allow-${value}`;
  const checked = !leftOut.includes(value) && html` checked`;
  return html`<p class="choice"><input type="checkbox" id="${id}" name="${optionalField(value)}" value="yes"${checked}>
<label for="${id}">${locale.texts.consent.allowOptional}</label></p>`;
}

/** Which plans don't include it, said once for all shops. */
function restriction(plans: ReadonlySet<Plan>, isWithheld: boolean, locale: Locale): HtmlValue {
  const texts = locale.texts.consent;
  const names = new Intl.ListFormat(locale.tag, { type: "disjunction" }).format(
    [...plans].map((plan) => locale.texts.plan[plan]),
  );
  const text = isWithheld ? texts.notGranted(names) : texts.notGrantedWith(names);
  return plans.size > 0 && html`<p class="restriction">${text}</p>`;
}

/** Drawings of 24 × 24. They are decoration: the text beside each says the same. */
const PATHS: Readonly<Record<Scope | "clock" | "person", string>> = {
  "responses:read":
    "M5 4h14a1.5 1.5 0 0 1 1.5 1.5v10a1.5 1.5 0 0 1-1.5 1.5h-7l-4.5 3.5V17H5a1.5 1.5 0 0 1-1.5-1.5v-10A1.5 1.5 0 0 1 5 4ZM7.5 8.5h9M7.5 12.5h6",
  "sources:write": "M12 4v16M4 12h16",
  clock: "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17ZM12 7.5V12l3 2",
  person: "M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM4.5 20.5c.5-4 3.5-6 7.5-6s7 2 7.5 6",
};

function icon(name: keyof typeof PATHS): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path d="${PATHS[name]}"/></svg>`;
}

const UNITS = [
  ["day", 24 * 60 * 60],
  ["hour", 60 * 60],
  ["minute", 60],
  ["second", 1],
] as const;

/** A time span as readers of this language (BCP 47) write it, in the largest unit that says it exactly: '30 days', '36 hours'. */
export function duration(seconds: number, tag: string): string {
  const [unit, length] = UNITS.find(([, size]) => seconds % size === 0) ?? ["second", 1];
  return new Intl.NumberFormat(tag, { style: "unit", unit, unitDisplay: "long" }).format(seconds / length);
}
