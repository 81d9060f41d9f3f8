import { hkdfSync, randomBytes } from "node:crypto";
import type { Scope } from "@partner-connect/contract";
import type {
  AuthorizationHints,
  AuthorizationRequest,
} from "../authorize/authorization-request.ts";
import { sealDated, unsealDated } from "../sealed-text.ts";

/** Seconds that a merchant has to sign in and decide. */
export const REQUEST_TTL_SECONDS = 60 * 60;

const PURPOSE = "authorization request";

/** An authorization request, unsealed with the cookie of its browser. */
export interface UnsealedRequest extends AuthorizationRequest {
  /**
   * 256 bits of this authorization in this browser, derived from the cookie's secret; never stored,
   * sent or shown. authorization-secret.ts derives the decision's values from it.
   */
  readonly secret: string;
}

/**
 * Seals the request for the browser that began it. The URLs of our pages contain the sealed text,
 * and nothing is stored before the decision.
 */
export function sealRequest(
  cookieSecret: string,
  asked: AuthorizationRequest,
  now = Date.now(),
): string {
  const salt = randomBytes(16).toString("base64url");
  const { clientId, redirectUri, scope, codeChallenge, state, hints } = asked;
  const head: Head = [salt, clientId, redirectUri, scope.join(" "), codeChallenge, hints];
  // The state is outside the JSON, which may escape one byte as six characters.
  return sealDated(`${JSON.stringify(head)}\n${state}`, cookieSecret, PURPOSE, now);
}

/** The sealed request; null if it began in another browser, has expired, or was changed. */
export function unsealRequest(
  cookieSecret: string,
  sealed: string,
  now = Date.now(),
): UnsealedRequest | null {
  const text = unsealDated(sealed, cookieSecret, PURPOSE, REQUEST_TTL_SECONDS, now) ?? "";
  const [, json = "", state = ""] = /(.*?)\n(.*)/s.exec(text) ?? [];
  const head = readHead(json);
  if (head === null) return null;
  const [salt, clientId, redirectUri, scope, codeChallenge, { loginHint, uiLocales }] = head;
  const derived = hkdfSync("sha256", cookieSecret, salt, "authorization", 32);
  const secret = Buffer.from(derived).toString("base64url");
  const hints = {
    ...(typeof loginHint === "string" && { loginHint }),
    ...(typeof uiLocales === "string" && { uiLocales }),
  };
  const requested = scope.split(" ") as Scope[]; // grantableScope drops unknown scopes
  return { clientId, redirectUri, scope: requested, codeChallenge, state, hints, secret };
}

type Head = [string, string, string, string, string, AuthorizationHints];

/** Checks the types, because the browser's owner knows the secret and can seal any text. */
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
