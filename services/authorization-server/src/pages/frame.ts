import type { Merchant } from "@partner-connect/directory";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import type { FastifyReply, FastifyRequest } from "fastify";
import { sendsOurCookies } from "../browser/cookie.ts";
import { browserSecretOrNew, formToken } from "../browser/csrf.ts";
import { LANGUAGES, type Language } from "../browser/locale.ts";
import { ownPath } from "./forms.ts";
import { address, initials, isolatedName } from "./names.ts";
import {
  CONNECTED_APPS_PATH,
  DOCS_PATH,
  LANGUAGE_PATH,
  PARTNER_PATH,
  PASSKEYS_PATH,
  PASSWORD_PATH,
  SIGN_OUT_PATH,
} from "./paths.ts";

/** A reader's language, and the frame of the page in it. */
export interface Locale extends Language {
  readonly frame: ReturnType<typeof pageFrame>;
}

export interface FrameOptions {
  /** The signed-in merchant, to be shown. Default: none. */
  readonly account?: Merchant | null;
  /** Path that signs out or, if an app waits, changes the account. Default: /oauth/sign-out. */
  readonly signOutPath?: string;
  /** The script of the page. Default: none. */
  readonly script?: { readonly path: string };
}

/** The frame around the content of each page. */
export function pageFrame(
  reply: FastifyReply,
  { account: merchant, signOutPath = SIGN_OUT_PATH, script }: FrameOptions,
) {
  const { request, server } = reply;
  const { config, pageAssets } = server;
  return {
    host: request.host || new URL(config.tokens.issuer).host,
    productName: config.product.name,
    assets: pageAssets,
    links: config.links,
    /** The URL that opens this page again, as in another language; null if there is none. */
    path: pagePath(reply),
    isPartner: request.url.startsWith(PARTNER_PATH),
    account: merchant
      ? { merchant, signOutPath, token: formToken(browserSecretOrNew(reply), SIGN_OUT_PATH) }
      : null,
    /** The page explains why a form was refused. */
    isRefusal: request.method === "POST" && reply.statusCode >= 400,
    /** True if merchants can sign in by password. */
    hasPasswords: !config.openId?.only,
    script: script?.path,
  };
}

/**
 * URL that opens the page of this request again; null if there is none. The response to a form has
 * one if GET has a route at its path.
 */
export function pagePath({ request, server }: FastifyReply): string | null {
  const { url } = request.routeOptions;
  const canBeOpened =
    request.method === "GET" || (url !== undefined && server.hasRoute({ method: "GET", url }));
  return canBeOpened ? ownPath(request.url) : null;
}

interface Page {
  /** The title of the window; plain text. */
  readonly title: string;
  /** A form's id, and the path that shows its page in another language. Default: the page's URL. */
  readonly shownAgainBy?: { readonly form: string; readonly path: string };
  /** True if the page is wide enough for tables. Default: it is as wide as a form. */
  readonly isWide?: boolean;
}

/** A whole page. No form precedes `main`, so that the page's own form is the first. */
export function layout(locale: Locale, page: Page, main: Html): Html {
  const { texts, tag, frame } = locale;
  const { stylesheet, icon } = frame.assets;
  const home = frame.isPartner ? PARTNER_PATH : CONNECTED_APPS_PATH;
  const hasHome = frame.account?.signOutPath === SIGN_OUT_PATH;
  return html`<!doctype html>
<html lang="${tag}">
<head>
<meta charset="utf-8">
<title>${frame.isRefusal && html`${texts.frame.error} `}${page.title} · ${frame.productName}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="stylesheet" href="${stylesheet.path}">
<link rel="icon" href="${icon.path}" type="${icon.type}">
${frame.script !== undefined && html`<script src="${frame.script}" defer></script>`}
</head>
<body>
<a class="skip" href="#content">${texts.skipToContent}</a>
<div class="page${page.isWide && " wide"}">
<header class="top">
<p class="product"><a${hasHome && html` href="${home}"`}><img src="${icon.path}" height="28" alt=""><span>${frame.productName}</span></a></p>
${frame.account && accountBar(frame.account, locale)}
</header>
<main id="content" tabindex="-1">
${main}
</main>
<footer class="foot">
${footerLinks(locale)}
${languageSwitch(locale, page.shownAgainBy)}
</footer>
${frame.account && html`<form method="post" action="${frame.account.signOutPath}" id="${ACCOUNT_FORM}"><input type="hidden" name="token" value="${frame.account.token}"></form>`}
</div>
</body>
</html>
`;
}

/** A page of one card: an app's icon, a heading (default: the window's title), and what follows. */
export function cardPage(
  locale: Locale,
  page: Page & { readonly heading?: Html | string; readonly icon?: Html },
  content: Html,
): Html {
  const card = html`<section class="card">
${page.icon}
<h1>${page.heading ?? page.title}</h1>
${content}
</section>`;
  return layout(locale, page, card);
}

/** The problem to show for a form that is not ours. */
export function formProblem(request: FastifyRequest): (locale: Locale) => Html {
  const isBlocked = !sendsOurCookies(request);
  return ({ texts, frame }) =>
    isBlocked ? texts.frame.cookies(html`${frame.host}`) : html`${texts.frame.outOfDate}`;
}

/** The sentence 'Contact us.' as a link, or nothing if no contact URL is set. */
export function contactUs({ texts }: Language, url: string | null): HtmlValue {
  return url !== null && html`<a href="${url}">${texts.contact}</a>.`;
}

/** The button that leads to the operator's contact or, if none is set, to our help. */
export function contactButton({ texts, frame }: Locale, rank = "", url = frame.links.contact) {
  const text = url === null ? texts.frame.help : texts.contact;
  return html`<a class="button${rank}" href="${url ?? frame.links.help}">${text}</a>`;
}

/**
 * A message on top of a page, read out when the page opens. Screen readers skip alerts that were
 * there from the beginning, so a problem gets the focus, unless the field that it describes has it.
 */
export function notice(
  kind: "problem" | "caution" | "done",
  message: HtmlValue,
  hasFocus: boolean = kind !== "done",
): HtmlValue {
  const role = kind === "done" ? "status" : "alert";
  return (
    message &&
    html`<div class="notice ${kind}" role="${role}"${hasFocus && html` tabindex="-1" autofocus`}>${message}</div>`
  );
}

/** The id of the form that signs out. It is at the page's end; buttons elsewhere send it. */
export const ACCOUNT_FORM = "account";

/** The account's menu in the header. While an app waits, it only offers to use another account. */
function accountBar(
  { merchant, signOutPath }: NonNullable<Locale["frame"]["account"]>,
  { texts, frame }: Locale,
): Html {
  const { account, connectedApps, passkeys, password } = texts;
  const inFlow = signOutPath !== SIGN_OUT_PATH;
  const current = frame.path?.split("?", 1)[0];
  const link = (path: string, text: string) =>
    html`<li><a href="${path}"${current === path && html` aria-current="page"`}>${text}</a></li>`;
  const button = (where: "here" | "everywhere", text: string) =>
    html`<li><button class="link" form="${ACCOUNT_FORM}" name="where" value="${where}">${text}</button></li>`;
  return html`<nav aria-label="${texts.frame.account}"><details><summary><span class="initials" aria-hidden="true">${initials(merchant.name)}</span><span>${isolatedName(merchant.name)}</span></summary>
<div class="menu"><p>${address(merchant.email)}</p>
<ul>${
    inFlow
      ? button("here", account.useAnother)
      : html`${link(CONNECTED_APPS_PATH, connectedApps.title)}
${merchant.isPartner && link(PARTNER_PATH, texts.frame.partner)}
${frame.hasPasswords && link(PASSWORD_PATH, password.change.submit)}
${link(PASSKEYS_PATH, passkeys.title)}
${button("here", account.signOut)}
${button("everywhere", account.signOutEverywhere)}`
  }</ul></div></details></nav>`;
}

function footerLinks({ texts, frame }: Locale): Html {
  const { help, privacy, terms } = frame.links;
  const link = (url: string | null, text: string) =>
    url !== null && html`<li><a href="${url}">${text}</a></li>`;
  return html`<ul class="foot-list">${link(frame.isPartner ? DOCS_PATH : null, texts.frame.docs)}${link(help, texts.frame.help)}
${link(privacy, texts.frame.privacy)}${link(terms, texts.frame.terms)}</ul>`;
}

/** Names each language in itself, for people who can't read the page. Partner pages have none. */
function languageSwitch({ texts, frame }: Locale, by: Page["shownAgainBy"]): HtmlValue {
  if (frame.path === null || frame.isPartner) return null;
  const sends = by && html` form="${by.form}" formaction="${by.path}" formnovalidate`;
  const choices = LANGUAGES.map(({ language, languageName }) =>
    language === texts.language
      ? html`<li aria-current="true">${languageName}</li>`
      : html`<li><button class="link" name="language" value="${language}" lang="${language}"${sends}>${languageName}</button></li>`,
  );
  return html`<form method="post" action="${LANGUAGE_PATH}" aria-label="${texts.frame.language}">
<input type="hidden" name="page" value="${frame.path}">
<ul class="foot-list">${choices}</ul>
</form>`;
}
