import type { PendingAuthorization } from "./pending-authorization.ts";

export const AUTHORIZATION_PATH = "/oauth/authorization";

type Page = "" | "/sign-in" | "/sign-out" | "/decline";

/** The address of an authorization's page, which carries the request itself. */
export function authorizationPath(pending: Pick<PendingAuthorization, "sealed">, page: Page = ""): string {
  return `${AUTHORIZATION_PATH}${page}?request=${pending.sealed}`;
}

/** Where the merchant goes afterwards, as shown to people; another script's letters stand in their ASCII form. */
export function returnHost(pending: PendingAuthorization): string {
  return new URL(pending.redirectUri).host;
}

/**
 * For {@link sendPage}: the answer to a decision redirects to the partner, and many a partner redirects onward from
 * there, to an origin that only the partner knows. Chromium judges each of these hops by the page that the form stood on.
 */
export function formTargets(pending: PendingAuthorization): readonly string[] {
  const isLoopback = pending.redirectUri.startsWith("http:");
  return isLoopback ? ["https:", "http://localhost:*", "http://127.0.0.1:*"] : ["https:"];
}
