import type { Client } from "@partner-connect/directory";
import { factsOf, noteFacts } from "@partner-connect/service-runtime";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyReply } from "fastify";
import type { FailureKind } from "../texts/en.ts";
import { cardPage, contactButton, type Locale } from "./frame.ts";
import { allowBreaks, isolatedName } from "./names.ts";
import { CONNECTED_APPS_PATH } from "./paths.ts";
import { sendPage } from "./send-page.ts";

export interface ErrorPage {
  readonly status: number;
  readonly kind: FailureKind;
  /** The app that sent the merchant here, if it is known. */
  readonly client?: Pick<Client, "name" | "website"> | null | undefined;
  /** What is wrong, for the partner's developers: collapsed, in English, and without a secret. */
  readonly detail?: string | undefined;
}

/** Sends a page that explains in plain words what happened and what to do next. */
export function sendErrorPage(reply: FastifyReply, error: ErrorPage): FastifyReply {
  const { request } = reply;
  const { status, kind, detail } = error;
  if (!factsOf(request).reason && !isDone(kind)) noteFacts(request, { reason: kind, detail });
  return sendPage(reply, (locale) => errorPageView(error, request.id, locale), { status });
}

export function sendNotFoundPage(reply: FastifyReply): FastifyReply {
  return sendErrorPage(reply, { status: 404, kind: "not_found" });
}

/** Shows the request's id, by which support finds the request in the log. */
function errorPageView(view: ErrorPage, requestId: string, locale: Locale): Html {
  const texts = locale.texts.failurePage;
  const { kind, client, detail } = view;
  const app = client ? isolatedName(client.name) : html`${texts.unnamedApp}`;
  const { title, lead } = locale.texts.failure[kind];
  const said = typeof lead === "string" ? lead : lead(app, html`${locale.frame.host}`);
  const content = html`<p class="lead">${said}</p>
<div class="actions">${nextSteps(view, locale)}</div>
${detail !== undefined && html`<details class="aside"><summary>${texts.forDevelopers}</summary><p lang="en">${urlOnNewLine(detail)}</p></details>`}
${!isDone(kind) && html`<p class="fine">${texts.requestId} <code>${requestId}</code></p>`}`;
  return cardPage(locale, { title }, content);
}

/** Puts a URL at the end of a detail for developers on a new line. */
const urlOnNewLine = (detail: string) =>
  detail.split(/(?<=: )(?=\w+:)/).map((line) => html`<code>${allowBreaks(line)}</code><br>`);

/** Transient failures, for which the page offers to try again if that is possible. */
const PASSING = /^(bad_request|too_many_requests|unavailable|unexpected)$/;

/** Pages without a link to Connected apps: no sign-in is possible, or the app is at fault. */
const NOT_OF_APPS = /^(no_cookies|invalid_link|client_disabled)$/;

const isDone = (kind: FailureKind) => kind === "already_connected" || kind === "already_approved";

/** The buttons of an error page. Most merchants need the first one. Help is never primary. */
function nextSteps({ kind, client }: ErrorPage, locale: Locale): Html {
  const { texts, frame } = locale;
  const { connectedApps, consent } = texts;
  const steps: [path: string, text: Html][] = [];
  if (PASSING.test(kind) && frame.path !== null) steps.push([frame.path, html`${texts.tryAgain}`]);
  if (client?.website) steps.push([client.website, consent.backTo(isolatedName(client.name))]);
  if (!NOT_OF_APPS.test(kind)) steps.push([CONNECTED_APPS_PATH, html`${connectedApps.title}`]);
  return html`${steps.map(([path, text], index) => html`<a class="button${index === 0 && " primary"}" href="${path}"><span>${text}</span></a>\n`)}
${!isDone(kind) && contactButton(locale)}`;
}
