/** The base64url of a SHA-256 is exactly 43 characters (RFC 7636 §4.2). */
export function isCodeChallenge(value: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(value);
}
