import { createHash } from "node:crypto";
import { CODE_VERIFIER } from "@partner-connect/public-api";

export function isCodeVerifier(value: string): boolean {
  return CODE_VERIFIER.test(value);
}

/** PKCE: whether the code challenge of the authorization request is the SHA-256 of this verifier (RFC 7636 §4.6). */
export function matchesCodeChallenge(codeVerifier: string, codeChallenge: string): boolean {
  return createHash("sha256").update(codeVerifier).digest("base64url") === codeChallenge;
}
