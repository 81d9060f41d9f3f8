import type { Client } from "@partner-connect/directory";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import type { Language } from "../browser/locale.ts";
import type { Texts } from "../texts/en.ts";
import type { Locale } from "./frame.ts";
import { appIcon, type Icon, named } from "./names.ts";

/** A connection's state as a dot. If it is not the usual one, a pill names it. */
export function statusTag(status: keyof Texts["connectedApps"]["status"], { texts }: Language) {
  const style = /disabled|expired/.test(status)
    ? " caution"
    : status === "connected"
      ? " dot"
      : " muted";
  return html`<strong class="tag${style}">${texts.connectedApps.status[status]}</strong>`;
}

/** An app's icon beside the product's. */
export function iconPair(app: Icon, { frame }: Locale): Html {
  return html`<p class="pair" aria-hidden="true">${appIcon(app)}⇄<img class="app-icon" src="${frame.assets.icon.path}" alt=""></p>`;
}

export function publisher(app: Client, locale: Locale): HtmlValue {
  const texts = locale.texts.consent;
  const facts = [
    app.publisher !== null && html`<li>${texts.by(named(app.publisher))}</li>`,
    app.website !== null && html`<li>${elsewhere(app.website, new URL(app.website).host)}</li>`,
    app.privacyPolicy !== null &&
      html`<li>${elsewhere(app.privacyPolicy, texts.privacyPolicy)}</li>`,
  ];
  return facts.some(Boolean) && html`<ul class="publisher">${facts}</ul>`;
}

/** Whom to ask to delete the data that an app has read. */
export function deletionContact(app: Client | null, style: "lead" | "fine", { texts }: Locale) {
  if (!app || app.contact === null) return null;
  const email = html`<a href="mailto:${app.contact}">${app.contact}</a>`;
  const contact = html`${named(app.publisher ?? app.name)} (${email})`;
  return html`<p class="${style}">${texts.connectedApps.deletion(contact)}</p>`;
}

/** A link to the partner's page. It opens a new tab, because this one has the open decision. */
function elsewhere(url: string, text: string): Html {
  return html`<a href="${url}" target="_blank" rel="noopener noreferrer nofollow">${text}</a>`;
}
