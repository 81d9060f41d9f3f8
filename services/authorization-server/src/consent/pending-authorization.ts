import type { Client } from "@partner-connect/directory";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import {
  type AuthorizationRequest,
  type RefusalOf,
  requireActive,
  requireCodeFlow,
  UnredirectableError,
} from "../authorize/authorization-request.ts";
import { merchantCookies, sendsOurCookies } from "../browser/cookie.ts";
import { preferLanguages } from "../browser/locale.ts";
import { sendErrorPage } from "../pages/error-page.ts";
import { formField } from "../pages/forms.ts";
import { AUTHORIZATION_PATH } from "../pages/paths.ts";
import { isRegisteredRedirectUri } from "../redirect-uri.ts";
import {
  REQUEST_TTL_SECONDS,
  sealRequest,
  type UnsealedRequest,
  unsealRequest,
} from "./sealed-request.ts";

/**
 * An authorization is *sealed* in the URLs of our pages, *pending* once its browser has opened it
 * and its client may still have a code, and *decided* by a row in `oauth.decisions`.
 */
export interface PendingAuthorization extends UnsealedRequest {
  readonly client: Client;
  /** `COOKIE_ID.SEALED_REQUEST`, as it appears in the URLs of the authorization's pages. */
  readonly sealed: string;
}

/** Each authorization has its own cookie, so that two can begin at once in a fresh browser. */
const authorizationCookies = merchantCookies("merchant_authorization_", 8, REQUEST_TTL_SECONDS);

/** Seals a valid request for this browser, and returns the path where the merchant continues. */
export function beginAuthorization(reply: FastifyReply, asked: AuthorizationRequest): string {
  const { id, secret: cookieSecret } = authorizationCookies.add(reply);
  return authorizationPath({ sealed: `${id}.${sealRequest(cookieSecret, asked)}` });
}

/** Opens the request in the URL. Null if it has expired, or began in another browser. */
export function openSealedRequest(
  request: FastifyRequest,
): Omit<PendingAuthorization, "client"> | null {
  const [id = "", text = ""] = formField(request.query, "request").split(".", 2);
  const cookieSecret = authorizationCookies.read(request, id);
  const asked = cookieSecret === null ? null : unsealRequest(cookieSecret, text);
  return asked && { ...asked, sealed: `${id}.${text}` };
}

declare module "fastify" {
  interface FastifyRequest {
    /** Set on routes with the hook {@link requirePending}. */
    authorization: PendingAuthorization;
  }
}

/**
 * Hook before each step of an authorization. Checks that this browser began it and that it has not
 * expired, that the client is active and that the redirect URI is still registered. Otherwise a
 * page explains what is wrong; in another browser it is the page for an authorization that never
 * existed, so the URL discloses nothing.
 */
export async function requirePending(request: FastifyRequest, reply: FastifyReply) {
  const asked = openSealedRequest(request);
  if (!asked)
    return sendErrorPage(reply, {
      status: 404,
      kind: sendsOurCookies(request) ? "ended" : "no_cookies",
    });
  preferLanguages(request, asked.hints.uiLocales);
  const client = await request.server.clients.find(asked.clientId);
  if (client) noteFacts(request, { clientId: client.clientId });
  request.authorization = { ...asked, client: requireStillAllowed(asked, client) };
  return undefined;
}

/**
 * Returns the client if it may still get a code for the request. One scope that is still enabled is
 * enough, because offers and tokens contain only enabled scopes.
 * @throws {UnredirectableError} client_id, scope, grant type, redirect_uri
 */
export function requireStillAllowed(asked: AuthorizationRequest, found: Client | null): Client {
  const client = requireActive(found);
  const refusal: RefusalOf = (reason, detail) => new UnredirectableError(reason, detail, client);
  if (!asked.scope.some((value) => client.scope.includes(value)))
    throw refusal("invalid_scope", "the client may no longer ask for any of the scopes");
  requireCodeFlow(client, refusal);
  if (!isRegisteredRedirectUri(asked.redirectUri, client.redirectUris))
    throw refusal("invalid_redirect_uri", "the redirect URI is no longer registered");
  return client;
}

type Page = "" | "/sign-in" | "/sign-out" | "/look";

/** `shop`: the id of the chosen shop, or the empty string. */
export function authorizationPath(
  { sealed }: Pick<PendingAuthorization, "sealed">,
  page: Page = "",
  shop = "",
): string {
  return `${AUTHORIZATION_PATH}${page}?request=${sealed}${shop && `&shop=${encodeURIComponent(shop)}`}`;
}
