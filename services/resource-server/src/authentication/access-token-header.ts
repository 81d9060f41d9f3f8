import { ACCESS_TOKEN_TYPE, SIGNING_ALGORITHMS } from "@partner-connect/contract";

/** Our tokens are below 1 KB. A longer one is refused before anything of it is decoded. */
const MAX_TOKEN_LENGTH = 4096;

const COMPACT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/** With these headers a token would choose its own key, or ask for processing that we don't do (RFC 8725 §3.1, §3.10). */
const REFUSED = ["jku", "jwk", "x5u", "x5c", "crit", "b64", "zip"];

export interface UnverifiedToken {
  readonly kid: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** The key id and the claims of a token that has the form of ours, else null. Nothing is verified yet. */
export function readUnverified(token: string): UnverifiedToken | null {
  if (token.length > MAX_TOKEN_LENGTH || !COMPACT.test(token)) return null;
  const [head = "", body = ""] = token.split(".", 2);
  const header = decode(head);
  const claims = decode(body);
  if (!header || !claims) return null;
  const { alg, typ, kid } = header;
  if (!SIGNING_ALGORITHMS.some((allowed) => allowed === alg) || typ !== ACCESS_TOKEN_TYPE) return null;
  if (typeof kid !== "string" || kid.length < 1 || kid.length > 128) return null;
  if (REFUSED.some((name) => Object.hasOwn(header, name))) return null;
  return { kid, claims };
}

function decode(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
