import type { Actor } from "@partner-connect/audit";
import { WebhookError } from "@partner-connect/connections/webhooks";
import { type Queries, transaction } from "@partner-connect/database";
import {
  type ClientSummary,
  clientsOfMember,
  DirectoryError,
  lockClientMembership,
} from "@partner-connect/directory";
import { noteFacts } from "@partner-connect/service-runtime";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { merchantActor } from "../actor.ts";
import { browserSecretOrNew, formToken, isOurForm } from "../browser/csrf.ts";
import { HttpError } from "../errors.ts";
import { COPY_SCRIPT } from "../pages/assets.ts";
import { sendNotFoundPage } from "../pages/error-page.ts";
import { confirmation } from "../pages/forms.ts";
import { contactUs, type Locale, layout, notice, pagePath } from "../pages/frame.ts";
import { allowBreaks, appIcon, isolatedName, plainName } from "../pages/names.ts";
import { DOCS_PATH, PARTNER_PATH } from "../pages/paths.ts";
import { redirectTo, sendPage } from "../pages/send-page.ts";
import { confirmPath, mustConfirmIdentity } from "../sign-in/passkeys/second-factor.ts";

/** The sections of a client's pages with their headings, in the order of the navigation. */
const SECTIONS = {
  overview: ["Overview", "How your app is doing"],
  connections: ["Connections", "Shops connected to your app"],
  errors: ["Errors", "Failed calls in the last 7 days"],
  webhooks: ["Webhooks", "Your webhook endpoints"],
  settings: ["Settings", "Registration, secrets and test shops"],
} as const;
export type Section = keyof typeof SECTIONS;

export function sectionPath({ clientId }: Pick<ClientSummary, "clientId">, section: Section) {
  return `${PARTNER_PATH}/${clientId}${section === "overview" ? "" : `/${section}`}`;
}

declare module "fastify" {
  interface FastifyRequest {
    /** The client of the pages, to which the signed-in merchant belongs. */
    partner: ClientSummary;
  }
}

/** Hook after `requireSignIn`. 404 unless the merchant belongs to the client in the URL. */
export async function requireClientMember(request: FastifyRequest, reply: FastifyReply) {
  const { clientId } = request.params as { readonly clientId: string };
  const [client] = await clientsOfMember(request.server.pagesSql, request.merchant.id, clientId);
  if (!client) return sendNotFoundPage(reply);
  noteFacts(request, { clientId });
  request.partner = client;
  return undefined;
}

/**
 * Hook before a change for which a merchant with a passkey must confirm their identity. Then the
 * merchant returns to this page or, if GET can't open it, to its section.
 */
export function requireIdentity(section: Section) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    if (!(await mustConfirmIdentity(request, request.merchant))) return undefined;
    const back = pagePath(reply) ?? sectionPath(request.partner, section);
    return redirectTo(reply, confirmPath(reply, back));
  };
}

/**
 * Commits a change if the merchant still belongs to the client when it commits. Returns null if the
 * subject of the form has changed since its page was opened.
 * @throws {HttpError} 404 if the merchant doesn't belong to the client any more
 */
export async function changeAsMember<T>(
  request: FastifyRequest,
  change: (tx: Queries, actor: Actor) => Promise<T>,
): Promise<T | null> {
  const { server, merchant, partner } = request;
  try {
    return await transaction(server.pagesSql, async (tx) => {
      const changed = await change(tx, merchantActor(request, merchant));
      if (await lockClientMembership(tx, merchant, partner.clientId)) return changed;
      throw new HttpError(404, "not_found", "not_found", { reason: "not_found" });
    });
  } catch (error) {
    const isRotation =
      error instanceof DirectoryError && /^(ROTATION_UNDER_WAY|NO_ROTATION)$/.test(error.code);
    if (isRotation || error instanceof WebhookError) return null;
    throw error;
  }
}

/** Why a form was refused; usually because its page was out of date. */
export interface Refusal {
  readonly status: number;
  readonly problem?: string;
}

export const OUT_OF_DATE: Refusal = { status: 403 };

/** The subject of a form has changed since its page was opened. */
export const CHANGED: Refusal = { status: 409 };

/** Sends the settings page of the request's client. */
export type ShowSettings = (reply: FastifyReply, refusal?: Refusal) => Promise<FastifyReply>;

/** A page with a secret that is shown only there, and the button to continue. */
export function secretView(title: string, secret: string, back: string): PartnerView {
  return {
    title,
    body: html`<section class="card"><p>Copy it now. It is shown only once.</p>
<p class="notice copied">${copyableText(html`${secret}`)}</p>
<div class="actions"><a class="button primary" href="${back}">Done, I’ve saved it</a></div></section>`,
  };
}

export interface PartnerView {
  /** Plain text for window and heading, below a link to the section. Default: the section's own. */
  readonly title?: string;
  readonly body: HtmlValue;
}

/** An id with a button that copies it; the script shows and names the button. */
export function copyableText(id: string | Html): Html {
  return html`<span class="copy"><code>${typeof id === "string" ? allowBreaks(id) : id}</code><button type="button" data-copy hidden>Copy</button></span>`;
}

/** The card instead of an empty list: what to do, and a button. Default: connect a first shop. */
export function emptyCard(title: string, text: string, path = FIRST, button = "How to connect") {
  return html`<section class="card"><h2>${title}</h2><p>${text}</p>
<div class="actions"><a class="button" href="${path}">${button}</a></div></section>`;
}
const FIRST = `${DOCS_PATH}/first-connection`;

/** A name and its value in a list of pairs. */
export function pair(name: HtmlValue, value: HtmlValue): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>
`;
}

/** A point between two facts; a line break in a narrow window. */
export const SEP = html`<span class="sep">\u00a0· </span>`;

/** Numbers as the partner pages write them. */
export const { format: formatNumber } = new Intl.NumberFormat("en");

/** One page of a client: the navigation of its sections, a heading, and the body. */
export function sendPartnerPage(
  reply: FastifyReply,
  section: Section,
  { title, body }: PartnerView,
  refusal?: Refusal,
): FastifyReply {
  const { partner: client, merchant, server } = reply.request;
  const link = ([each, [name]]: [string, readonly [string, string]]) =>
    html`<li><a href="${sectionPath(client, each as Section)}"${each === section && html` aria-current="page"`} data-bold="${name}">${name}</a></li>
`;
  const [name, heading] = SECTIONS[section];
  const page = (locale: Locale) => {
    const content = html`<nav class="sections" aria-label="${plainName(client.name)}"><p>${appIcon(client)}<b>${isolatedName(client.name)}</b></p>
<ul>${Object.entries(SECTIONS).map(link)}</ul></nav>
${title !== undefined && html`<p class="fine"><a href="${sectionPath(client, section)}">‹ ${name}</a></p>`}
<h1>${title ?? heading}</h1>
${notice("problem", client.status === "disabled" && html`This app is disabled, so its calls fail. ${contactUs(locale, server.config.supportUrl)}`, false)}
${notice(refusal?.status === 422 ? "problem" : "caution", refusal && (refusal.problem ?? locale.texts.frame.outOfDate))}
${body}`;
    const windowTitle = `${title ?? name} · ${plainName(client.name)}`;
    return layout(locale, { title: windowTitle, isWide: true }, content);
  };
  const status = refusal?.status ?? 200;
  return sendPage(reply, page, { account: merchant, status, script: COPY_SCRIPT });
}

/** A change that a separate page asks to confirm. */
interface Confirmed<Subject> {
  /** A path below the client's pages. */
  readonly path: string;
  readonly section: Section;
  readonly preHandler?: ReturnType<typeof requireIdentity>;
  /**
   * Returns the subject of the change, a path to redirect to if there is nothing left to change, or
   * undefined if there is no such page.
   */
  find(request: FastifyRequest): Promise<Subject | string | undefined>;
  /** The state of the subject. If it changes, earlier pages' forms are out of date. */
  state?(subject: Subject): string;
  view(subject: Subject): PartnerView & { readonly button: string };
  /** URL of the link that cancels. */
  back(client: ClientSummary, subject: Subject): string;
  change(request: FastifyRequest, subject: Subject, reply: FastifyReply): Promise<FastifyReply>;
}

/** The purpose of the form on the page at this path. */
export function formPurpose({ url }: FastifyRequest, state: string): string {
  return `${url.split("?", 1)[0]} ${state}`;
}

export function confirmationRoutes<Subject extends object>(
  app: FastifyInstance,
  page: Confirmed<Subject>,
) {
  const { path, section, preHandler = [] } = page;
  const purpose = (request: FastifyRequest, subject: Subject) =>
    formPurpose(request, page.state?.(subject) ?? "");
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const found = await page.find(request);
    if (found === undefined) return sendNotFoundPage(reply);
    if (typeof found === "string") return redirectTo(reply, found);
    const isPosted = request.method === "POST";
    if (isPosted && isOurForm(request, purpose(request, found)))
      return await page.change(request, found, reply);
    const [action = ""] = request.url.split("?", 1);
    const form = {
      action,
      token: formToken(browserSecretOrNew(reply), purpose(request, found)),
      back: page.back(request.partner, found),
    };
    const { body, button, ...title } = page.view(found);
    const card = html`<section class="card">${body}
${confirmation(form, button, "Cancel")}</section>`;
    const refusal = isPosted ? OUT_OF_DATE : undefined;
    return sendPartnerPage(reply, section, { ...title, body: card }, refusal);
  };
  app.get(path, { preHandler }, handler);
  app.post(path, { config: { counts: "partner_pages" }, preHandler }, handler);
}
