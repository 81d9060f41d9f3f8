import type { OpenAuthorization } from "./sealed-request.ts";

export const AUTHORIZATION_PATH = "/oauth/authorization";

type Page = "" | "/sign-in" | "/sign-out" | "/decline" | "/look";

/** The path of an authorization's page. It contains the sealed request. */
export function authorizationPath({ sealed }: Pick<OpenAuthorization, "sealed">, page: Page = ""): string {
  return `${AUTHORIZATION_PATH}${page}?request=${sealed}`;
}

/** The host that the merchant returns to, as pages show it: letters that are not ASCII are in Punycode. */
export function returnHost(authorization: OpenAuthorization): string {
  return new URL(authorization.redirectUri).host;
}

/**
 * Where the answer to a decision may redirect the browser: to the partner, and from there to any origin that the partner
 * redirects to. Chromium checks each of these redirects against the `form-action` of the page with the form.
 */
export function formTargets(authorization: OpenAuthorization): readonly string[] {
  const isLoopback = authorization.redirectUri.startsWith("http:");
  return isLoopback ? ["https:", "http://localhost:*", "http://127.0.0.1:*"] : ["https:"];
}
