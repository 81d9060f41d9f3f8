import { createHash } from "node:crypto";

/** 43 to 128 characters of the unreserved ones (RFC 7636 §4.1). */
export function isCodeVerifier(value: string): boolean {
  return /^[A-Za-z0-9\-._~]{43,128}$/.test(value);
}

/** Whether the code was requested by whoever has the verifier: its SHA-256 is the code challenge (PKCE, RFC 7636 §4.6). */
export function matchesCodeChallenge(codeVerifier: string, codeChallenge: string): boolean {
  return createHash("sha256").update(codeVerifier).digest("base64url") === codeChallenge;
}
