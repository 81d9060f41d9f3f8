/** Origin without port, port, and the rest; only for http://localhost and http://127.0.0.1. */
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

/** What differs from the most similar registered URI, for a developer. It tells a stranger nothing that sending the right URI would not. */
export function explainMismatch(presented: string, registered: readonly string[]): string {
  if (!URL.canParse(presented)) return "it is not an absolute URL";
  const differences = registered
    .filter((uri) => URL.canParse(uri))
    .map((uri) => compare(new URL(presented), new URL(uri)));
  const fewest = differences.toSorted((a, b) => a.length - b.length)[0] ?? [];
  if (presented.includes("#")) return "it has a fragment";
  return fewest.length > 0 ? fewest.join("; ") : "it is spelled differently (case, encoding or a default port)";
}

function compare(presented: URL, registered: URL): string[] {
  const differences: string[] = [];
  if (presented.protocol !== registered.protocol) {
    differences.push(`the scheme is ${presented.protocol.slice(0, -1)}, not ${registered.protocol.slice(0, -1)}`);
  }
  if (presented.username !== "" || presented.password !== "") differences.push("it has a user name or password");
  if (presented.hostname !== registered.hostname) differences.push(`host ${presented.hostname} is not registered`);
  const isLoopback = [presented, registered].every(({ origin }) => LOOPBACK.test(origin));
  if (presented.port !== registered.port && !isLoopback) {
    differences.push(presented.port === "" ? "the port is missing" : `port ${presented.port} is not registered`);
  }
  if (presented.pathname !== registered.pathname) {
    const slash = presented.pathname === `${registered.pathname}/`;
    differences.push(slash ? 'the path ends in "/"' : `path ${presented.pathname} is not registered`);
  }
  if (presented.search !== registered.search) differences.push("the query differs");
  return differences;
}

/**
 * The redirect URI's own bytes with the response's parameters after them: to parse and write it would change its case, port and escapes.
 */
export function redirectLocation(redirectUri: string, parameters: Readonly<Record<string, string>>): string {
  const query = Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  if (!redirectUri.includes("?")) return `${redirectUri}?${query}`;
  return /[?&]$/.test(redirectUri) ? `${redirectUri}${query}` : `${redirectUri}&${query}`;
}
