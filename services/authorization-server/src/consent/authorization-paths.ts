import type { OpenAuthorization } from "./sealed-request.ts";

export const AUTHORIZATION_PATH = "/oauth/authorization";

type Page = "" | "/sign-in" | "/sign-out" | "/decline" | "/look";

/** `shop`: what the form sends for the shop that was chosen, or the empty string. */
export function authorizationPath({ sealed }: Pick<OpenAuthorization, "sealed">, page: Page = "", shop = ""): string {
  return `${AUTHORIZATION_PATH}${page}?request=${sealed}${shop && `&shop=${encodeURIComponent(shop)}`}`;
}

/** The host that the merchant returns to, as pages show it: letters that are not ASCII are in Punycode. */
export function returnHost(authorization: OpenAuthorization): string {
  return new URL(authorization.redirectUri).host;
}
