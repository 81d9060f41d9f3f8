import { createHmac, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { formField } from "../pages/forms.ts";
import { merchantCookie } from "./cookie.ts";

/**
 * True if a POST may come from one of our pages, on the public host or the request's own host. A
 * client that sends no `Origin` is not a browser, so only the form token decides.
 */
export function mayBeSameOrigin(
  post: {
    readonly origin?: string | undefined;
    readonly secFetchSite?: string | undefined;
    readonly host: string;
  },
  publicBaseUrl: string,
): boolean {
  if (post.secFetchSite !== undefined && post.secFetchSite !== "same-origin") return false;
  if (post.origin === undefined || (post.origin === "null" && post.secFetchSite !== undefined))
    return true;
  const { origin, protocol } = new URL(publicBaseUrl);
  return post.origin === origin || post.origin === `${protocol}//${post.host.toLowerCase()}`;
}

const browserCookie = merchantCookie("merchant_browser");

/** The browser's secret, in a cookie that outlives sign-ins. */
export const { read: browserSecret, readOrNew: browserSecretOrNew } = browserCookie;

/**
 * A form's token, which proves that a page of ours sent it for `purpose`. `secret`: the browser's
 * or, in an authorization, the authorization's. It is not the session's, so a form that was open
 * during a new sign-in stays valid.
 */
export function formToken(secret: string, purpose: string): string {
  return createHmac("sha256", secret).update(purpose).digest("base64url");
}

/** True if the posted form has the token for `purpose`. `secret`: the browser's by default. */
export function isOurForm(
  request: FastifyRequest,
  purpose: string,
  secret = browserSecret(request),
): boolean {
  const presented = formField(request.body, "token");
  return secret !== null && isEqual(presented, formToken(secret, purpose));
}

function isEqual(presented: string, expected: string): boolean {
  const [actual, wanted] = [Buffer.from(presented), Buffer.from(expected)];
  return actual.length === wanted.length && timingSafeEqual(actual, wanted);
}
