import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import type { Scope } from "@partner-connect/contract";
import { type Client, hashCredential } from "@partner-connect/directory";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import { merchantCookies, sentCookies } from "../pages/cookie.ts";
import { errorPage } from "../pages/error-page.ts";
import { formField } from "../pages/forms.ts";
import { preferLanguages } from "../pages/locale.ts";
import { AUTHORIZATION_PATH } from "../pages/paths.ts";
import { isRegisteredRedirectUri } from "../redirect-uri.ts";
import { sealDated, unsealDated } from "../sealed-text.ts";

/**
 * A valid authorization request (spec, GET authorize): authorize/ validates it, consent/ asks the
 * merchant.
 */
export interface AuthorizationRequest {
  readonly clientId: string;
  /** As presented: the registered bytes, but for a loopback URI's port. */
  readonly redirectUri: string;
  readonly state: string;
  readonly scope: readonly Scope[];
  readonly codeChallenge: string;
  readonly hints: AuthorizationHints;
}

/** Optional parameters that make signing in easier. Invalid values are ignored. */
export interface AuthorizationHints {
  /** Fills in the email. */
  readonly loginHint?: string;
  /** BCP 47 tags, one space between two: chooses the language where the reader has chosen none. */
  readonly uiLocales?: string;
}

export interface OpenAuthorization extends AuthorizationRequest {
  readonly client: Client;
  /** The id of its cookie and the sealed request, as the URLs of its pages contain them. */
  readonly sealed: string;
  /**
   * 256 bits of this authorization in this browser, never stored, sent or shown. Grant id and code
   * are {@link derived} from it.
   */
  readonly secret: string;
}

/** The time that a merchant has to sign in and decide. */
const AUTHORIZATION_SECONDS = 60 * 60;

/**
 * Each authorization has its own, so that two that begin at the same time in a fresh browser are
 * both open.
 */
const authorizationCookies = merchantCookies("merchant_authorization_", 8, AUTHORIZATION_SECONDS);

/**
 * Seals a valid request for this browser, and returns the path of the page where the merchant
 * continues.
 */
export function beginAuthorization(reply: FastifyReply, asked: AuthorizationRequest): string {
  const { id, secret } = authorizationCookies.add(reply);
  return authorizationPath({ sealed: `${id}.${sealRequest(secret, asked)}` });
}

/**
 * The authorization request that the URL carries; null if another browser began it, or it has
 * expired.
 */
export function openedRequest(request: FastifyRequest): ReturnType<typeof openRequest> {
  const sealed = formField(request.query, "request");
  const [id = "", text = ""] = sealed.split(".", 2);
  const secret = authorizationCookies.read(request, id);
  const opened = secret === null ? null : openRequest(secret, text);
  return opened && { ...opened, sealed };
}

declare module "fastify" {
  interface FastifyRequest {
    /** On routes with the hook {@link openAuthorization}. */
    authorization: OpenAuthorization;
  }
}

/**
 * Hook before each step of an authorization. Checks that this browser began it and that it has not
 * expired, that the client is active and that the redirect URI is still registered. Otherwise a
 * page explains what is wrong; an authorization of another browser gets the page of one that never
 * existed, so its URL discloses nothing.
 */
export async function openAuthorization(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const opened = openedRequest(request);
  if (!opened)
    return errorPage(reply, { status: 404, kind: sentCookies(request) ? "ended" : "no_cookies" });
  preferLanguages(request, opened.hints.uiLocales);
  const client = await request.server.clients.find(opened.clientId);
  const refuse = (kind: "invalid_link" | "client_disabled", developerDetail?: string) =>
    errorPage(reply, { status: 400, kind, client, developerDetail });
  if (client) noteFacts(request, { clientId: client.clientId });
  if (!client) return refuse("invalid_link", "client_id is not registered");
  // The client may no longer request any of the scopes.
  const mayAsk = opened.scope.some((value) => client.scope.includes(value));
  if (client.status !== "active" || !mayAsk) return refuse("client_disabled");
  if (!isRegisteredRedirectUri(opened.redirectUri, client.redirectUris)) {
    return refuse("invalid_link", "the redirect URI is no longer registered");
  }
  request.authorization = { ...opened, client };
  return undefined;
}

type Page = "" | "/sign-in" | "/sign-out" | "/look";

/** `shop`: what the form sends for the shop that was chosen, or the empty string. */
export function authorizationPath(
  { sealed }: Pick<OpenAuthorization, "sealed">,
  page: Page = "",
  shop = "",
): string {
  return `${AUTHORIZATION_PATH}${page}?request=${sealed}${shop && `&shop=${encodeURIComponent(shop)}`}`;
}

const PURPOSE = "authorization request";

/**
 * The request, sealed for the browser that began it: the URLs of our pages contain it, and nothing
 * is stored before the decision.
 */
export function sealRequest(cookie: string, asked: AuthorizationRequest, now = Date.now()): string {
  const id = randomBytes(16).toString("base64url");
  const { clientId, redirectUri, scope, codeChallenge, state, hints } = asked;
  const head: Head = [id, clientId, redirectUri, scope.join(" "), codeChallenge, hints];
  // The state is outside of the JSON, which may escape a byte to six characters.
  return sealDated(`${JSON.stringify(head)}\n${state}`, cookie, PURPOSE, now);
}

/** Null if another browser began it, if it has expired, or if it is not a sealed request. */
export function openRequest(
  cookie: string,
  sealed: string,
  now = Date.now(),
): Omit<OpenAuthorization, "client"> | null {
  const text = unsealDated(sealed, cookie, PURPOSE, AUTHORIZATION_SECONDS, now) ?? "";
  const [, json = "", state = ""] = /^(.*?)\n(.*)$/s.exec(text) ?? [];
  const head = readHead(json);
  if (head === null) return null;
  const [id, clientId, redirectUri, scope, codeChallenge, { loginHint, uiLocales }] = head;
  const secret = Buffer.from(hkdfSync("sha256", cookie, id, "authorization", 32)).toString(
    "base64url",
  );
  const hints = {
    ...(typeof loginHint === "string" && { loginHint }),
    ...(typeof uiLocales === "string" && { uiLocales }),
  };
  return {
    sealed,
    clientId,
    redirectUri,
    scope: scope.split(" ") as Scope[],
    codeChallenge,
    state,
    hints,
    secret,
  };
}

type Head = [string, string, string, string, string, AuthorizationHints];

/** The browser's owner knows its secret and can seal any text, so the types are checked. */
function readHead(text: string): Head | null {
  try {
    const head: unknown = JSON.parse(text);
    const types = Array.isArray(head)
      ? head.map((value) => (value === null ? "null" : typeof value)).join()
      : "";
    return types === "string,string,string,string,string,object" ? (head as Head) : null;
  } catch {
    return null;
  }
}

/**
 * Derives a value from this authorization's secret, always the same for the same parts: 256 bits,
 * base64url.
 */
export function derived(secret: string, ...parts: readonly string[]): string {
  return createHmac("sha256", secret).update(JSON.stringify(parts)).digest("base64url");
}

/** The key of the authorization's row in `oauth.decisions`. */
export function authorizationHash({ secret }: Pick<OpenAuthorization, "secret">): Buffer {
  return hashCredential(secret);
}

/** An approval's choice. */
export type Choice = readonly [merchantId: string, shopId: string, ...scope: string[]];

/** The id of the grant that the choice leads to. */
export function grantOf({ secret }: OpenAuthorization, choice: Choice): string {
  return derived(secret, "grant", ...choice);
}
