import type { ClientDetails, Rotation } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import { notice } from "../../merchant-page/frame/layout.ts";
import { exact } from "../../merchant-page/frame/moment.view.ts";
import type { Locale } from "../../merchant-page/texts/locale.ts";
import type { PartnerTexts } from "../partner-page/texts/en.ts";

type Texts = PartnerTexts["credentials"];
type Secret = ClientDetails["secrets"][number];

export type CredentialsProblem = "outOfDate" | "days" | "underWay";

interface CredentialsView {
  /** The newest first: one, or two while an overlap runs. */
  readonly secrets: readonly Secret[];
  readonly action: string;
  /** Null: who is signed in may not change them. */
  readonly token: string | null;
  readonly problem: CredentialsProblem | null;
}

export function credentialsView(
  texts: Texts,
  { secrets, action, token, problem }: CredentialsView,
  locale: Locale,
): Html {
  const until = secrets.find(({ expiresAt }) => expiresAt !== null)?.expiresAt;
  return html`${notice("problem", problem && texts.problem[problem])}
<p class="lead">${texts.lead}</p>
${secrets.map((secret) => secretView(texts, secret, secrets.length > 1, locale))}
${
  token !== null &&
  (until
    ? html`<p>${texts.overlap(exact(until, locale))}</p>
<div class="actions"><a class="button" href="${action}/end">${texts.end.action}</a>
<a class="button" href="${action}/replace">${texts.replace.action}</a></div>`
    : html`<form class="card" method="post" action="${action}">
<input type="hidden" name="token" value="${token}">
<h2>${texts.make}</h2>
<p>${texts.makeLead}</p>
<label for="days">${texts.days}</label>
<input id="days" name="days" type="number" min="1" max="30" required value="7"${problem === "days" && html` aria-invalid="true"`}>
<div class="actions"><button class="primary">${texts.make}</button></div>
</form>`)
}`;
}

function secretView(texts: Texts, secret: Secret, hasOther: boolean, locale: Locale): Html {
  const { createdAt, expiresAt, lastUsedAt } = secret;
  return html`<section class="card"><h2>${expiresAt ? texts.former : hasOther ? texts.newest : texts.only}</h2>
<dl class="pairs">
<dt>${texts.createdAt}</dt><dd>${exact(createdAt, locale)}</dd>
<dt>${texts.lastUsed}</dt><dd>${lastUse(texts, lastUsedAt, locale)}</dd>
<dt>${texts.worksUntil}</dt><dd>${expiresAt ? exact(expiresAt, locale) : texts.noEnd}</dd>
</dl></section>
`;
}

/** It is known to the hour. */
function lastUse(texts: Texts, hour: Date | null, locale: Locale): Html {
  return hour ? texts.inHour(exact(hour, locale)) : html`${texts.unused}`;
}

interface EndingView {
  readonly ending: "end" | "replace";
  readonly details: ClientDetails;
  readonly action: string;
  readonly back: string;
  readonly token: string;
  readonly isOutOfDate: boolean;
}

export function endingView(texts: Texts, view: EndingView, locale: Locale): Html {
  const { ending, details, action, back, token, isOutOfDate } = view;
  const concerned = details.secrets.find(({ expiresAt }) => (expiresAt !== null) === (ending === "end"));
  return html`${notice("problem", isOutOfDate && texts.problem.outOfDate)}
<p class="lead">${texts[ending].lead}</p>
${concerned && secretView(texts, concerned, true, locale)}
<form method="post" action="${action}">
<input type="hidden" name="token" value="${token}">
<div class="actions">
<button class="danger filled">${texts[ending].action}</button>
<a class="button" href="${back}">${texts.keep}</a>
</div>
</form>`;
}

/** The secret, which this page alone ever shows. */
export function newSecretView(
  texts: Texts,
  { rotation, back }: { readonly rotation: Rotation; readonly back: string },
  locale: Locale,
): Html {
  const { secret, formerSecretExpiresAt: end } = rotation;
  return html`<p class="lead">${texts.made.lead}</p>
<p class="copied"><code>${secret}</code></p>
${end && html`<p>${texts.overlap(exact(end, locale))}</p>`}
<div class="actions"><a class="button primary" href="${back}">${texts.made.kept}</a></div>`;
}
