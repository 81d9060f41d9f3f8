import type { ClientDetails } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import { type ConfirmationForm, confirmation } from "../pages/forms.ts";
import type { Locale } from "../pages/frame.ts";
import { exact } from "../pages/moment.ts";
import type { PartnerTexts } from "../texts/en.ts";
import type { PartnerView } from "./partner-page.ts";

type Secret = ClientDetails["secrets"][number];

interface SecretsView {
  /** The newest first: one, or two during an overlap. */
  readonly secrets: readonly Secret[];
  readonly action: string;
  readonly token: string;
}

export function secretsView({ secrets, action, token }: SecretsView, partner: PartnerTexts, locale: Locale): Html {
  const texts = partner.secrets;
  const isRotating = secrets.length > 1;
  return html`<section class="card"><h2>${texts.title}</h2>
${secrets.map((secret) => secretFacts(secret, isRotating, partner, locale))}
${
  isRotating
    ? html`<p class="next">${partner.overview.secrets}</p>
<div class="actions"><a class="button" href="${action}/end">${texts.end.action}</a>
<a class="button" href="${action}/replace">${texts.replace.action}</a></div>`
    : html`<form method="post" action="${action}">
<input type="hidden" name="token" value="${token}">
<h3 class="next">${texts.make}</h3>
<p>${texts.makeLead}</p>
<label for="days">${texts.days}</label>
<input id="days" name="days" type="number" min="1" max="30" required value="7">
<div class="actions"><button>${texts.make}</button></div>
</form>`
}</section>`;
}

function secretFacts(secret: Secret, hasOther: boolean, partner: PartnerTexts, locale: Locale): Html {
  const { createdAt, expiresAt, lastUsedAt } = secret;
  const { secrets: texts, connections } = partner;
  const time = (at: Date | null) => (at ? exact(at, locale) : connections.never);
  return html`${hasOther && html`<h3 class="next">${expiresAt ? texts.former : texts.newest}</h3>`}
<dl class="pairs">
<dt>${texts.createdAt}</dt><dd>${exact(createdAt, locale)}</dd>
<dt>${locale.texts.connectedApps.lastUsed}</dt><dd>${time(lastUsedAt)}</dd>
<dt>${texts.expires}</dt><dd>${time(expiresAt)}</dd>
</dl>
`;
}

interface EndingView extends ConfirmationForm {
  readonly ending: "end" | "replace";
  readonly details: ClientDetails;
}

export function endingView(
  partner: PartnerTexts,
  { ending, details, ...form }: EndingView,
  locale: Locale,
): PartnerView {
  const concerned = details.secrets.find(({ expiresAt }) => (expiresAt !== null) === (ending === "end"));
  const { title, lead, action } = partner.secrets[ending];
  return {
    title,
    body: html`<section class="card"><p>${lead}</p>
${concerned && secretFacts(concerned, true, partner, locale)}
${confirmation(form, action, partner.keep)}</section>`,
  };
}
