import type { Client } from "@partner-connect/directory";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import type { Locale } from "./frame.ts";
import { day } from "./moment.ts";
import { initial, named } from "./names.ts";

/** The app's logo, or its first letter. It is decoration, beside the app's name. */
export function appIcon({ name, logoPath }: Pick<Client, "name" | "logoPath">): Html {
  return logoPath === null
    ? html`<span class="app-icon"><bdi>${initial(name)}</bdi></span>`
    : html`<img class="app-icon" src="${logoPath}" width="48" height="48" alt="">`;
}

/** Icons of the app and the shop, side by side. They are decoration: the heading says the same. */
export function pair(client: Client): Html {
  return html`<div class="pair" aria-hidden="true">
${appIcon(client)}
<i></i>
<span class="own"><svg viewBox="0 0 24 24" width="24" height="24"><path d="M4 10.5V19a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-8.5M3 8l1.6-4h14.8L21 8a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0ZM9.5 20v-5.5h5V20"/></svg></span>
</div>`;
}

export function publisher(app: Client, locale: Locale): HtmlValue {
  const texts = locale.texts.consent;
  const { verifiedAt } = app;
  const facts = [
    verifiedAt !== null &&
      html`<li><strong class="verified">${texts.verified(locale.frame.productName, day(verifiedAt, locale))}</strong></li>`,
    app.publisher !== null && html`<li>${texts.by(named(app.publisher))}</li>`,
    app.website !== null && html`<li>${elsewhere(app.website, new URL(app.website).host)}</li>`,
    app.privacyPolicy !== null && html`<li>${elsewhere(app.privacyPolicy, texts.privacyPolicy)}</li>`,
  ].filter((fact) => fact !== false);
  return facts.length > 0 && html`<ul class="publisher">${facts}</ul>`;
}

/** Whom to ask to delete what an app has read. */
export function deletion(contact: string | null, locale: Locale): HtmlValue {
  if (contact === null) return null;
  return html`<p class="fine">${locale.texts.connectedApps.deletion(html`<a href="mailto:${contact}">${contact}</a>`)}</p>`;
}

/** A link to a page of the partner's, in a tab of its own: the decision waits in this one. */
function elsewhere(url: string, text: string): Html {
  return html`<a href="${url}" target="_blank" rel="noopener noreferrer nofollow">${text}</a>`;
}
