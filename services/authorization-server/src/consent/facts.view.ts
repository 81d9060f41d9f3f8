import type { Plan, Scope } from "@partner-connect/contract";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import type { Locale } from "../pages/locale.ts";
import { CONNECTED_APPS_PATH } from "../pages/paths.ts";
import type { ConsentView } from "./consent-view.ts";
import { optionalField } from "./shop-offer.ts";

export function facts(view: ConsentView, locale: Locale): Html {
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
export function shownOptional({ authorization, requested, offers }: ConsentView): Scope[] {
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
