import type { Passkey } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { Locale } from "../../pages/frame.ts";
import { cardPage, notice } from "../../pages/frame.ts";
import { moment } from "../../pages/moment.ts";
import { named, plainName } from "../../pages/names.ts";
import { PASSKEYS_PATH } from "../../pages/paths.ts";
import type { Texts } from "../../texts/en.ts";
import { passkeyForm } from "./passkey-form.ts";

export type PasskeyProblem = keyof Texts["passkeys"]["problem"] | "out_of_date";

const DONE = ["added", "renamed", "removed"] as const;

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
  const problems = { ...texts.problem, out_of_date: locale.texts.frame.outOfDate };
  return cardPage(
    locale,
    { title: texts.title, width: "medium" },
    html`<p class="lead">${texts.lead}</p>
${notice("done", done && texts.done[done])}
${notice("problem", problem && problems[problem])}
${passkeys.length === 0 ? html`<p>${texts.none}</p>` : html`<ul class="rows">${passkeys.map((each) => passkeyItem(each, view, locale))}</ul>`}
${proofPath !== null && html`<p class="fine">${texts.proveFirst}</p><div class="actions"><a class="button primary" href="${proofPath}">${texts.proof.confirm}</a></div>`}
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
    fields: nameField("name", texts.newName, locale),
  },
  locale,
)}`
}`,
  );
}

function passkeyItem({ id, name, createdAt, lastUsedAt }: Passkey, view: PasskeysView, locale: Locale): Html {
  const texts = locale.texts.passkeys;
  const hidden = html`<input type="hidden" name="token" value="${view.token}"><input type="hidden" name="passkey" value="${id}">`;
  const field = `name-${id}`;
  return html`<li class="row"><div><b>${named(name)}</b>
<p class="fine">${texts.since(moment(createdAt, locale))} ${lastUsedAt ? texts.used(moment(lastUsedAt, locale)) : texts.unused}</p>
${
  view.proofPath === null &&
  html`<details><summary>${texts.change}</summary>
<form method="post" action="${PASSKEYS_PATH}/rename">${hidden}${nameField(field, plainName(name), locale)}
<div class="actions"><button>${texts.rename}</button></div></form>
<form method="post" action="${PASSKEYS_PATH}/remove">${hidden}
<p class="fine">${view.passkeys.length === 1 ? texts.removesLast : texts.removes}</p>
<div class="actions"><button class="danger">${texts.remove}</button></div></form></details>`
}</div></li>`;
}

function nameField(id: string, value: string, { texts }: Locale): Html {
  return html`<label for="${id}">${texts.passkeys.name}</label>
<input id="${id}" name="name" type="text" autocomplete="off" maxlength="100" required value="${value}">`;
}
