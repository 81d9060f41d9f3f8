import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import { seal, unseal } from "../sealing/sealed-text.ts";

/** A valid authorization request, as the partner made it. */
export interface AskedAuthorization {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scope: readonly string[];
  readonly state: string;
  readonly codeChallenge: string;
}

/** One that this browser began, and what is known of it beside the request. */
export interface OpenedRequest extends AskedAuthorization {
  /** 256 bits that belong to this authorization in this browser. Not stored, sent or shown; see {@link derived}. */
  readonly secret: string;
  readonly secondsLeft: number;
}

/** A merchant has this long to sign in and decide. */
export const AUTHORIZATION_SECONDS = 60 * 60;

/** How far the clocks of two replicas may be apart. */
const CLOCK_SKEW_SECONDS = 60;

const PURPOSE = "authorization request";

/**
 * The request, sealed for the browser that began it: it travels in the URLs of our pages, so nothing has to be stored
 * until the merchant decides, and no other browser can go on with it.
 */
export function sealRequest(browserSecret: string, asked: AskedAuthorization, now = Date.now()): string {
  const id = randomBytes(16).toString("base64url");
  const { clientId, redirectUri, scope, codeChallenge, state } = asked;
  const head = [id, Math.floor(now / 1000), clientId, redirectUri, scope.join(" "), codeChallenge];
  // The state stands as it is: inside JSON each of its bytes could become six.
  return seal(`${JSON.stringify(head)}\n${state}`, browserSecret, PURPOSE);
}

/** Null if another browser began it, if its time is over, or if it is no such request at all. */
export function openRequest(browserSecret: string, sealed: string, now = Date.now()): OpenedRequest | null {
  const text = unseal(sealed, browserSecret, PURPOSE);
  if (text === null) return null;
  const end = text.indexOf("\n");
  const head = readHead(text.slice(0, Math.max(end, 0)));
  if (head === null) return null;
  const [id, beganAt, clientId, redirectUri, scope, codeChallenge] = head;
  const secondsLeft = beganAt + AUTHORIZATION_SECONDS - Math.floor(now / 1000);
  if (secondsLeft <= 0 || secondsLeft > AUTHORIZATION_SECONDS + CLOCK_SKEW_SECONDS) return null;
  const secret = Buffer.from(hkdfSync("sha256", browserSecret, id, "authorization", 32)).toString("base64url");
  return {
    clientId,
    redirectUri,
    scope: scope.split(" "),
    codeChallenge,
    state: text.slice(end + 1),
    secret,
    secondsLeft,
  };
}

type Head = [string, number, string, string, string, string];

/** Who owns the browser knows its secret, and can seal what he likes. */
function readHead(text: string): Head | null {
  try {
    const head: unknown = JSON.parse(text);
    const types = Array.isArray(head) ? head.map((value) => typeof value).join() : "";
    return types === "string,number,string,string,string,string" ? (head as Head) : null;
  } catch {
    return null;
  }
}

/** A value that only this authorization leads to, the same whenever it is asked for: 256 bits, base64url. */
export function derived(secret: string, ...of: readonly string[]): string {
  return createHmac("sha256", secret).update(JSON.stringify(of)).digest("base64url");
}
