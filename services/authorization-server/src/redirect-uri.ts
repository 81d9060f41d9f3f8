/** Matches http://localhost and http://127.0.0.1: origin without port, port, and the rest. */
const LOOPBACK = /^(http:\/\/(?:localhost|127\.0\.0\.1))(?::([1-9][0-9]{0,4}))?((?:[/?].*)?)$/s;

/**
 * Returns the registered URI that equals `presented` byte for byte, with any port on loopback (RFC
 * 8252 §7.3), or null.
 */
export function registeredRedirectUri(presented: string, registered: readonly string[]) {
  const exact = registered.find((uri) => uri === presented);
  return exact ?? registered.find((uri) => equalsExceptLoopbackPort(presented, uri)) ?? null;
}

export function isRegisteredRedirectUri(presented: string, registered: readonly string[]): boolean {
  return registeredRedirectUri(presented, registered) !== null;
}

function equalsExceptLoopbackPort(presented: string, registered: string): boolean {
  const [, registeredOrigin, , registeredRest] = LOOPBACK.exec(registered) ?? [];
  const [, origin, port, rest] = LOOPBACK.exec(presented) ?? [];
  if (registeredOrigin === undefined || registeredOrigin !== origin || registeredRest !== rest)
    return false;
  return port === undefined || Number(port) <= 65_535;
}

/**
 * The first 500 characters of the URI, without userinfo, query and fragment. Characters other than
 * visible ASCII are percent-encoded.
 */
export function withoutSecrets(presented: string): string {
  return presented
    .replace(/([?#]).*/s, "$1…")
    .replace(/^([^/\\:@]*:)?([/\\]*)[^/\\]*@/, "$1$2…@")
    .replace(/[^!-~…]/gu, encodeURIComponent)
    .slice(0, 500);
}

/**
 * Appends parameters to the redirect URI's bytes, because parsing and serializing it would change
 * its case, port and escapes.
 */
export function redirectLocation(
  redirectUri: string,
  parameters: Readonly<Record<string, string>>,
): string {
  const query = Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  if (!redirectUri.includes("?")) return `${redirectUri}?${query}`;
  return /[?&]$/.test(redirectUri) ? `${redirectUri}${query}` : `${redirectUri}&${query}`;
}
