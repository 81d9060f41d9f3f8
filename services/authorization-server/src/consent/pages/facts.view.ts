import type { Plan, Scope } from "@partner-connect/contract";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { CONNECTED_APPS_PATH } from "../../merchant-page/paths.ts";
import type { Locale } from "../../merchant-page/texts/locale.ts";
import type { ConsentView } from "./consent-view.ts";
import { duration } from "./duration.ts";
import { icon } from "./fact-icon.view.ts";

/** What an approval would allow and share, and for how long. */
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
${restriction(new Set(lacking.map(({ shop }) => shop.plan)), isWithheld, locale)}</div></li>`;
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
