import type { FastifyReply, FastifyRequest } from "fastify";
import { formField, ownPath } from "../pages/forms.ts";
import { pagePath } from "../pages/frame.ts";
import { CONNECTED_APPS_PATH, SIGN_IN_PATH } from "../pages/paths.ts";
import { redirectTo } from "../pages/send-page.ts";
import { sealDated, unsealDated } from "../sealed-text.ts";
import { merchantCookie } from "./cookie.ts";
import { browserSecret, browserSecretOrNew } from "./csrf.ts";

const HOUR_SECONDS = 3600;

/**
 * Seals a text for this browser's URLs and cookies, so that nobody else can create or read it. The
 * time is sealed too, so that {@link unsealFrom} can refuse an old text.
 */
export function sealFor(reply: FastifyReply, purpose: string, text: string): string {
  return sealDated(text, browserSecretOrNew(reply), purpose);
}

/** The sealed text; null if it has expired, or was not sealed for this browser and purpose. */
export function unsealFrom(
  request: FastifyRequest,
  purpose: string,
  sealed: string | null,
  lifeSeconds = HOUR_SECONDS,
): string | null {
  const secret = browserSecret(request);
  return secret !== null && sealed !== null
    ? unsealDated(sealed, secret, purpose, lifeSeconds)
    : null;
}

const EMAIL = "known email";
const emailCookie = merchantCookie("merchant_email", { form: /^[\w-]+$/ });

/** The longest address that the sign-in form allows (RFC 5321). */
const MAX_EMAIL = 254;

/**
 * The last email typed or proved in this browser, which prefills the next sign-in until the browser
 * is closed or the merchant signs out.
 */
export const knownEmail = {
  read: (request: FastifyRequest): string | null =>
    unsealFrom(request, EMAIL, emailCookie.read(request), 24 * HOUR_SECONDS),
  set(reply: FastifyReply, email: string): void {
    if (email !== "" && email.length <= MAX_EMAIL)
      emailCookie.set(reply, sealFor(reply, EMAIL, email));
  },
  clear: emailCookie.clear,
};

/** The page to which a detour, such as a sign-in, leads back. */
export interface ReturnPath {
  readonly path: string;
  /** The name of the app whose authorization the page belongs to; null for any other page. */
  readonly app: string | null;
  /** The languages that the app prefers. */
  readonly uiLocales?: string | undefined;
}

const RETURN = "return path";
const returnCookie = merchantCookie("merchant_return", { form: /^[\w-]+$/ });

/** Maximum bytes of a cookie's value. With name and attributes, browsers keep at most 4,096. */
const MAX_COOKIE = 3800;

function unsealReturnPath(request: FastifyRequest, text: string | null): ReturnPath | null {
  const [path = "", app, uiLocales] = unsealFrom(request, RETURN, text)?.split("\n") ?? [];
  const own = ownPath(path);
  return own === null ? null : { path: own, app: app || null, uiLocales };
}

function sealReturnPath(reply: FastifyReply, { path, app, uiLocales }: ReturnPath): string {
  return sealFor(reply, RETURN, [path, app ?? "", uiLocales ?? ""].join("\n"));
}

/** The page in the request's query parameter `return`, or null. */
export function requestedReturn(request: FastifyRequest): ReturnPath | null {
  return unsealReturnPath(request, formField(request.query, "return"));
}

/** The path of `detour` with a `return` parameter, so that it leads back to `page`. */
export function withReturnTo(reply: FastifyReply, detour: string, page: ReturnPath): string {
  return withReturn(detour, sealReturnPath(reply, page));
}

/** The path of `detour` with the `return` parameter of this request, if it has one. */
export function withSameReturn({ request }: FastifyReply, detour: string): string {
  return requestedReturn(request) === null
    ? detour
    : withReturn(detour, formField(request.query, "return"));
}

function withReturn(path: string, sealed: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}return=${sealed}`;
}

/**
 * The page that {@link rememberPage} stored in this browser within the last hour. The merchant
 * returns to it after a link from a mail or an operator, for example.
 */
export function rememberedPage(request: FastifyRequest): ReturnPath | null {
  return unsealReturnPath(request, returnCookie.read(request));
}

/** Stores the page in the cookie, unless its path is too long for a cookie. */
export function rememberPage(reply: FastifyReply, page: ReturnPath): void {
  if (rememberedPage(reply.request)?.path === page.path) return;
  const text = sealReturnPath(reply, page);
  if (text.length <= MAX_COOKIE) returnCookie.set(reply, text);
}

/** Deletes the cookie if its page is `path`. Call it once the merchant's task there is done. */
export function forgetPage(reply: FastifyReply, path: string): void {
  if (rememberedPage(reply.request)?.path === path) returnCookie.clear(reply);
}

/**
 * Redirects to the sign-in, which leads back to `page`. Default: the page of this request or, for a
 * posted form, the page at the form's address.
 */
export function redirectToSignIn(reply: FastifyReply, page: string | null = pagePath(reply)) {
  const isDefault = page === null || page === CONNECTED_APPS_PATH;
  return redirectTo(
    reply,
    isDefault ? SIGN_IN_PATH : withReturnTo(reply, SIGN_IN_PATH, { path: page, app: null }),
  );
}
