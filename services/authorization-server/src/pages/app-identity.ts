import { leastPlan, type Plan, type Scope, scopeOfPlan } from "@partner-connect/contract";
import type { Client } from "@partner-connect/directory";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import type { Language } from "../browser/locale.ts";
import type { Texts } from "../texts/en.ts";
import type { Locale } from "./frame.ts";
import { appIcon, type Icon, isolatedName } from "./names.ts";

/** The name of a connection's state: after a dot if it is connected, otherwise in a pill. */
export function statusTag(status: keyof Texts["connectedApps"]["status"], { texts }: Language) {
  const styles = { connected: "dot", approved: "muted", revoked: "muted" };
  const style = { ...styles, expired: "caution", disabled: "caution" }[status];
  return html`<strong class="tag ${style}">${texts.connectedApps.status[status]}</strong>`;
}

/** An app's icon beside the product's. */
export function iconPair(app: Icon, { frame }: Locale): Html {
  return html`<p class="pair" aria-hidden="true">${appIcon(app)}⇄<img class="app-icon" src="${frame.assets.icon.path}" alt=""></p>`;
}

export function publisherFacts(app: Client, locale: Locale): HtmlValue {
  const texts = locale.texts.consent;
  const facts = [
    app.publisher !== null && html`<li>${texts.by(isolatedName(app.publisher))}</li>`,
    app.website !== null && html`<li>${externalLink(app.website, new URL(app.website).host)}</li>`,
    app.privacyPolicy !== null &&
      html`<li>${externalLink(app.privacyPolicy, texts.privacyPolicy)}</li>`,
  ];
  return facts.some(Boolean) && html`<ul class="publisher">${facts}</ul>`;
}

/** Whom to ask for the deletion of data that an app has read. */
export function deletionContact(app: Client | null, { texts }: Locale): Html | null {
  if (!app || app.contact === null) return null;
  const email = html`<a href="mailto:${app.contact}">${app.contact}</a>`;
  const contact = html`${isolatedName(app.publisher ?? app.name)} (${email})`;
  return texts.connectedApps.deletion(contact);
}

/** A link to the partner's page. It opens a new tab: this one may have a pending decision. */
function externalLink(url: string, text: string): Html {
  return html`<a href="${url}" target="_blank" rel="noopener noreferrer nofollow">${text}</a>`;
}

/** A permission, and the data that it gives access to. `plan`: the shop's, which may lack it. */
export function scopeFact(value: Scope, style: HtmlValue, { texts }: Locale, plan?: Plan): Html {
  const { title, does, personalData } = texts.scope[value];
  const lacks = plan && !scopeOfPlan(plan).includes(value);
  return html`<li class="fact${style}">${icon(value)}<div><strong>${title}</strong>
<p class="fine">${does}${lacks && html` <strong>${texts.consent.needs(texts.plan[leastPlan([value])])}</strong>`}</p>
${personalData !== null && html`<p class="personal-data">${personalData}</p>`}</div></li>`;
}

/** Drawings of 24 × 24 units. The text beside each has the same meaning, so they are decoration. */
const PATHS: Readonly<Record<Scope | "clock" | "none", string>> = {
  "responses:read":
    "M5 4h14a1.5 1.5 0 0 1 1.5 1.5v10a1.5 1.5 0 0 1-1.5 1.5h-7l-4.5 3.5V17H5a1.5 1.5 0 0 1-1.5-1.5v-10A1.5 1.5 0 0 1 5 4ZM7.5 8.5h9M7.5 12.5h6",
  "sources:write":
    "M4.5 19.5h3.6L19 8.6a2.1 2.1 0 0 0 0-3l-.6-.6a2.1 2.1 0 0 0-3 0L4.5 15.9ZM13.5 6.9l3.6 3.6",
  clock: "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17ZM12 7.5V12l3 2",
  none: "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17ZM8 12h8",
};

export function icon(name: keyof typeof PATHS): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${PATHS[name]}"/></svg>`;
}
