import type { Passkey } from "@partner-connect/directory";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { cardPage, type Locale, notice } from "../../pages/frame.ts";
import { moment } from "../../pages/moment.ts";
import { named } from "../../pages/names.ts";
import { PASSKEYS_PATH } from "../../pages/paths.ts";
import type { Texts } from "../../texts/en.ts";

export type PasskeyProblem = keyof Texts["passkeys"]["problem"] | "out_of_date" | "changed";

const DONE = ["added", "removed"] as const;

export function isDone(value: unknown): value is (typeof DONE)[number] {
  return DONE.some((done) => done === value);
}

export interface PasskeysView {
  readonly passkeys: readonly Passkey[];
  readonly token: string;
  /** The page that asks for a proof, if one is needed before anything can be changed. */
  readonly proofPath: string | null;
  /** The browser's options for a new passkey; null if none can be added now. */
  readonly options: object | null;
  readonly done: (typeof DONE)[number] | null;
  readonly problem: PasskeyProblem | null;
}

export function passkeysView(view: PasskeysView, locale: Locale): Html {
  const texts = locale.texts.passkeys;
  const { passkeys, options, proofPath, problem, done, token } = view;
  const problems = {
    ...texts.problem,
    out_of_date: locale.texts.frame.outOfDate,
    changed: locale.texts.frame.outOfDate,
  };
  return cardPage(
    locale,
    { title: texts.title, width: "medium" },
    html`<p class="lead">${texts.lead}</p>
${notice("done", done && texts.done[done])}
${notice("problem", problem && problems[problem])}
${passkeys.length > 0 && html`<ul class="rows">${passkeys.map((each) => passkeyItem(each, view, locale))}</ul>`}
${proofPath !== null && html`<div class="actions"><a class="button primary" href="${proofPath}">${texts.proof.title}</a></div>`}
${
  options !== null &&
  html`<h2 class="next">${texts.add}</h2>
${passkeyForm(
  {
    action: PASSKEYS_PATH,
    token,
    ceremony: "create",
    options,
    button: texts.add,
    fields: html`<label for="name">${texts.name}</label>
<input id="name" name="name" type="text" autocomplete="off" maxlength="100" required value="${texts.newName}">`,
  },
  locale,
)}`
}`,
  );
}

function passkeyItem({ id, name, createdAt, lastUsedAt }: Passkey, view: PasskeysView, locale: Locale): Html {
  const texts = locale.texts.passkeys;
  return html`<li class="row"><div><b>${named(name)}</b>
<p class="fine">${texts.since(moment(createdAt, locale))} ${lastUsedAt && texts.used(moment(lastUsedAt, locale))}</p>
${
  view.proofPath === null &&
  html`<details><summary>${texts.remove}</summary>
<form method="post" action="${PASSKEYS_PATH}/remove">
<input type="hidden" name="token" value="${view.token}"><input type="hidden" name="passkey" value="${id}">
<p class="fine">${view.passkeys.length === 1 && `${texts.removesLast} `}${locale.texts.password.change.lead}</p>
<div class="actions"><button class="danger">${texts.remove}</button></div></form></details>`
}</div></li>`;
}

interface PasskeyForm {
  readonly action: string;
  readonly token: string;
  /** Whether the browser signs with a passkey, or makes one. */
  readonly ceremony: "get" | "create";
  readonly options: object;
  readonly button: string;
  /** Further fields. */
  readonly fields?: HtmlValue;
}

/** A form that our script sends with a passkey's response. If the browser doesn't support passkeys, a line of text replaces the form. */
export function passkeyForm(form: PasskeyForm, { texts }: Locale): Html {
  const { proof } = texts.passkeys;
  return html`<p class="fine" id="no-passkey">${proof.noPasskey}</p>
<form method="post" action="${form.action}" id="passkey" data-ceremony="${form.ceremony}" data-options="${JSON.stringify(form.options)}" hidden>
<input type="hidden" name="token" value="${form.token}">
<input type="hidden" name="credential" autocomplete="off">
${form.fields}
<p class="field-problem" role="alert" id="passkey-problem" hidden>${proof.failed}</p>
<div class="actions"><button class="primary">${form.button}</button></div>
</form>`;
}
