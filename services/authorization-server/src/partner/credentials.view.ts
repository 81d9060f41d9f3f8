import type { ClientDetails, Rotation } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import { type ConfirmationForm, confirmation } from "../pages/forms.ts";
import type { Locale } from "../pages/frame.ts";
import { exact } from "../pages/moment.ts";
import type { PartnerTexts } from "../texts/en.ts";
import type { PartnerView } from "./partner-page.ts";

type Texts = PartnerTexts["credentials"];
type Secret = ClientDetails["secrets"][number];

interface CredentialsView {
  /** The newest first: one, or two while an overlap runs. */
  readonly secrets: readonly Secret[];
  readonly action: string;
  readonly token: string;
  readonly isWrong: boolean;
}

export function credentialsView(texts: Texts, view: CredentialsView, locale: Locale): Html {
  const { secrets, action, token, isWrong } = view;
  const until = secrets.find(({ expiresAt }) => expiresAt !== null)?.expiresAt;
  return html`<p class="lead">${texts.lead}</p>
${secrets.map((secret) => secretView(texts, secret, secrets.length > 1, locale))}
${
  until
    ? html`<p>${texts.overlap(exact(until, locale))}</p>
<div class="actions"><a class="button" href="${action}/end">${texts.end.action}</a>
<a class="button" href="${action}/replace">${texts.replace.action}</a></div>`
    : html`<form class="card" method="post" action="${action}">
<input type="hidden" name="token" value="${token}">
<h2>${texts.make}</h2>
<p>${texts.makeLead}</p>
<label for="days">${texts.days}</label>
<input id="days" name="days" type="number" min="1" max="30" required value="7"${isWrong && html` aria-invalid="true"`}>
<div class="actions"><button class="primary">${texts.make}</button></div>
</form>`
}`;
}

function secretView(texts: Texts, secret: Secret, hasOther: boolean, locale: Locale): Html {
  const { createdAt, expiresAt, lastUsedAt } = secret;
  return html`<section class="card"><h2>${expiresAt ? texts.former : hasOther ? texts.newest : texts.only}</h2>
<dl class="pairs">
<dt>${texts.createdAt}</dt><dd>${exact(createdAt, locale)}</dd>
<dt>${locale.texts.connectedApps.lastUsed}</dt><dd>${lastUsedAt ? texts.inHour(exact(lastUsedAt, locale)) : texts.unused}</dd>
<dt>${texts.worksUntil}</dt><dd>${expiresAt ? exact(expiresAt, locale) : texts.noEnd}</dd>
</dl></section>
`;
}

interface EndingView extends ConfirmationForm {
  readonly ending: "end" | "replace";
  readonly details: ClientDetails;
}

export function endingView(texts: Texts, { ending, details, ...form }: EndingView, locale: Locale): PartnerView {
  const concerned = details.secrets.find(({ expiresAt }) => (expiresAt !== null) === (ending === "end"));
  const { title, lead, action } = texts[ending];
  return {
    title,
    body: html`<p class="lead">${lead}</p>
${concerned && secretView(texts, concerned, true, locale)}
${confirmation(form, action, texts.keep)}`,
  };
}

/** The secret, which this page alone ever shows. */
export function newSecretView({ made, overlap }: Texts, rotation: Rotation, back: string, locale: Locale): PartnerView {
  const { secret, formerSecretExpiresAt: end } = rotation;
  return {
    title: made.title,
    body: html`<p class="lead">${made.lead}</p>
<p class="copied"><code>${secret}</code></p>
${end && html`<p>${overlap(exact(end, locale))}</p>`}
<div class="actions"><a class="button primary" href="${back}">${made.kept}</a></div>`,
  };
}
