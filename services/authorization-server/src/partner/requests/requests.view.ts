import { SCOPES } from "@partner-connect/contract";
import type { ClientRequest, ClientSummary, RequestedChanges } from "@partner-connect/directory";
import { type Html, html } from "@partner-connect/service-runtime/html";
import { notice } from "../../merchant-page/frame/layout.ts";
import { exact } from "../../merchant-page/frame/moment.view.ts";
import { named } from "../../merchant-page/frame/name.ts";
import type { Locale } from "../../merchant-page/texts/locale.ts";
import type { PartnerTexts } from "../partner-page/texts/en.ts";
import type { TypedRequest } from "./typed-request.ts";

type Texts = PartnerTexts["requests"];
export type RequestProblem = keyof Texts["problem"];

/** Codes of the directory's refusals that the page explains. */
const PROBLEMS = [
  "NOTHING_ASKED",
  "TOO_MANY_REQUESTS",
  "INVALID_NAME",
  "INVALID_REDIRECT_URI",
  "INVALID_SCOPE",
  "INVALID_LOGO",
] as const;

export function isProblem(code: string): code is (typeof PROBLEMS)[number] {
  return PROBLEMS.some((known) => known === code);
}

export interface RequestsView {
  readonly client: ClientSummary;
  /** The newest first. */
  readonly requests: readonly ClientRequest[];
  readonly action: string;
  /** Null: who is signed in may not ask. */
  readonly token: string | null;
  readonly typed: TypedRequest;
  readonly problem: RequestProblem | null;
  /** Of what was typed: what can't be registered, and why, in English. */
  readonly wrongUris: readonly { readonly uri: string; readonly problem: string }[];
}

export function requestsView(texts: Texts, view: RequestsView, locale: Locale): Html {
  const { requests, token, problem, wrongUris } = view;
  const [open, decided] = [true, false].map((isOpen) =>
    requests.filter(({ status }) => (status === "open") === isOpen),
  );
  const wrong = wrongUris.map(
    ({ uri, problem }) => html`<li><code>${uri}</code> <span lang="en">${problem}</span></li>`,
  );
  return html`${notice(
    "problem",
    problem && html`<p>${texts.problem[problem]}</p>${wrong.length > 0 && html`<ul>${wrong}</ul>`}`,
  )}
<p class="lead">${texts.lead}</p>
${open?.map((request) => requestView(texts, request, view, locale))}
${token !== null && askView(texts, view, token)}
${decided?.map((request) => requestView(texts, request, view, locale))}`;
}

function requestView(texts: Texts, request: ClientRequest, { action, token }: RequestsView, locale: Locale): Html {
  const { id, status, reason, createdAt, decidedAt, askedBy, changes } = request;
  return html`<section class="card"><h2>${texts.status[status]} <span class="fine">${exact(decidedAt ?? createdAt, locale)}</span></h2>
<dl class="pairs">${changesView(texts, changes)}
<dt>${texts.askedBy}</dt><dd>${named(askedBy.name)}</dd>
${reason !== null && html`<dt>${texts.reason}</dt><dd>${reason}</dd>`}
</dl>
${
  status === "open" &&
  token !== null &&
  html`<form method="post" action="${action}/${id}/withdraw">
<input type="hidden" name="token" value="${token}">
<div class="actions"><button>${texts.withdraw}</button></div>
</form>`
}</section>
`;
}

function changesView(texts: Texts, { name, redirect_uris: uris, scope, logo }: RequestedChanges): Html {
  const values = (label: string, all: readonly string[] = []) =>
    all.length > 0 && html`<dt>${label}</dt>${all.map((value) => html`<dd><code>${value}</code></dd>`)}`;
  return html`${name && html`<dt>${texts.name}</dt><dd>${named(name.from)} → ${named(name.to)}</dd>`}
${values(texts.added, uris?.added)}${values(texts.removed, uris?.removed)}
${values(texts.addedScope, scope?.added)}${values(texts.removedScope, scope?.removed)}
${logo && html`<dt>${texts.logo}</dt><dd>${texts.another}</dd>`}`;
}

function askView(texts: Texts, { client, action, typed, problem }: RequestsView, token: string): Html {
  const invalid = (...codes: RequestProblem[]) =>
    problem !== null && codes.includes(problem) && html` aria-invalid="true"`;
  const boxes = client.redirectUris.map((uri, at) =>
    choice(`remove.${at}`, uri, html`<code>${uri}</code>`, typed.removed.includes(uri)),
  );
  const scopes = SCOPES.map((scope) =>
    choice(`scope.${scope}`, scope, html`<code>${scope}</code>`, typed.scope.includes(scope)),
  );
  return html`<form class="card" method="post" action="${action}" enctype="multipart/form-data">
<input type="hidden" name="token" value="${token}">
<h2>${texts.ask}</h2>
<label for="name">${texts.name}</label>
<input id="name" name="name" type="text" autocomplete="off" maxlength="100" required value="${typed.name}"${invalid("INVALID_NAME")}>
<label for="add">${texts.add}</label>
<textarea id="add" name="add" rows="3" spellcheck="false" autocapitalize="none"${invalid("uris", "INVALID_REDIRECT_URI")}>
${typed.added.join("\n")}</textarea>
<fieldset class="choices"><legend>${texts.remove}</legend>${boxes}</fieldset>
<fieldset class="choices"><legend>${texts.scope}</legend>${scopes}</fieldset>
<label for="logo">${texts.logo}</label>
<p class="fine" id="logo-hint">${texts.logoHint}</p>
<input id="logo" name="logo" type="file" accept="image/png,image/webp" aria-describedby="logo-hint"${invalid("INVALID_LOGO")}>
<div class="actions"><button class="primary">${texts.ask}</button></div>
</form>
`;
}

function choice(name: string, value: string, label: Html, isChosen: boolean): Html {
  return html`<p class="choice"><input type="checkbox" id="${name}" name="${name}" value="${value}"${isChosen && html` checked`}>
<label for="${name}">${label}</label></p>
`;
}
