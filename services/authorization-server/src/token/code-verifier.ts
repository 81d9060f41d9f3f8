/** 43 to 128 characters of the unreserved ones (RFC 7636 §4.1). */
export function isCodeVerifier(value: string): boolean {
  return /^[A-Za-z0-9\-._~]{43,128}$/.test(value);
}
