import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import type { Scope } from "@partner-connect/contract";
import type { Client } from "@partner-connect/directory";
import type { AuthorizationHints, AuthorizationRequest } from "../authorization-request.ts";
import { seal, unseal } from "../sealed-text.ts";

export interface OpenAuthorization extends AuthorizationRequest {
  readonly client: Client;
  /** The sealed request, as the URLs of its pages contain it. */
  readonly sealed: string;
  /** 256 bits of this authorization in this browser, never stored, sent or shown. Grant id and code are {@link derived} from it. */
  readonly secret: string;
  readonly secondsLeft: number;
}

/** The time that a merchant has to sign in and decide. */
const AUTHORIZATION_SECONDS = 60 * 60;

/** How much the clocks of two replicas may differ. */
const CLOCK_SKEW_SECONDS = 60;

const PURPOSE = "authorization request";

/** The request, sealed for the browser that began it: the URLs of our pages contain it, and nothing is stored before the decision. */
export function sealRequest(browserSecret: string, asked: AuthorizationRequest, now = Date.now()): string {
  const id = randomBytes(16).toString("base64url");
  const { clientId, redirectUri, scope, codeChallenge, state, hints } = asked;
  const head: Head = [id, Math.floor(now / 1000), clientId, redirectUri, scope.join(" "), codeChallenge, hints];
  // The state stands outside the JSON, where each of its bytes could take six.
  return seal(`${JSON.stringify(head)}\n${state}`, browserSecret, PURPOSE);
}

/** Null if another browser began it, if its time is over, or if it is not a sealed request. */
export function openRequest(
  browserSecret: string,
  sealed: string,
  now = Date.now(),
): Omit<OpenAuthorization, "client"> | null {
  const text = unseal(sealed, browserSecret, PURPOSE);
  if (text === null) return null;
  const end = text.indexOf("\n");
  const head = readHead(text.slice(0, Math.max(end, 0)));
  if (head === null) return null;
  const [id, beganAt, clientId, redirectUri, scope, codeChallenge, hints] = head;
  const secondsLeft = beganAt + AUTHORIZATION_SECONDS - Math.floor(now / 1000);
  if (secondsLeft <= 0 || secondsLeft > AUTHORIZATION_SECONDS + CLOCK_SKEW_SECONDS) return null;
  const secret = Buffer.from(hkdfSync("sha256", browserSecret, id, "authorization", 32)).toString("base64url");
  const state = text.slice(end + 1);
  return {
    sealed,
    clientId,
    redirectUri,
    scope: scope.split(" ") as Scope[],
    codeChallenge,
    state,
    hints: readHints(hints),
    secret,
    secondsLeft,
  };
}

type Head = [string, number, string, string, string, string, AuthorizationHints];

/** The browser's owner knows its secret and can seal any text, so the types are checked. */
function readHead(text: string): Head | null {
  try {
    const head: unknown = JSON.parse(text);
    const types = Array.isArray(head) ? head.map((value) => (value === null ? "null" : typeof value)).join() : "";
    return types === "string,number,string,string,string,string,object" ? (head as Head) : null;
  } catch {
    return null;
  }
}

function readHints({ loginHint, uiLocales }: AuthorizationHints): AuthorizationHints {
  return {
    ...(typeof loginHint === "string" && { loginHint }),
    ...(typeof uiLocales === "string" && { uiLocales }),
  };
}

/** A value that only this authorization's secret leads to, always the same for the same parts: 256 bits, base64url. */
export function derived(secret: string, ...parts: readonly string[]): string {
  return createHmac("sha256", secret).update(JSON.stringify(parts)).digest("base64url");
}
