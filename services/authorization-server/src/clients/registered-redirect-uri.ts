/** Origin without port, port, and the rest; of http://localhost and http://127.0.0.1 alone. */
const LOOPBACK = /^(http:\/\/(?:localhost|127\.0\.0\.1))(?::([1-9][0-9]{0,4}))?((?:[/?].*)?)$/s;

/**
 * The registered redirect URI that a request's is, byte for byte, or null. A loopback one may come with any port (spec, OAuth client; RFC
 * 8252 §7.3).
 */
export function registeredRedirectUri(presented: string, registered: readonly string[]): string | null {
  const exact = registered.find((uri) => uri === presented);
  return exact ?? registered.find((uri) => differsInLoopbackPort(uri, presented)) ?? null;
}

export function isRegisteredRedirectUri(presented: string, registered: readonly string[]): boolean {
  return registeredRedirectUri(presented, registered) !== null;
}

function differsInLoopbackPort(registered: string, presented: string): boolean {
  const [, registeredOrigin, , registeredRest] = LOOPBACK.exec(registered) ?? [];
  const [, origin, port, rest] = LOOPBACK.exec(presented) ?? [];
  if (registeredOrigin === undefined || registeredOrigin !== origin || registeredRest !== rest) return false;
  return port === undefined || Number(port) <= 65_535;
}
