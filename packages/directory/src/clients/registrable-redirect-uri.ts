/** Maximum characters: enough for a callback, and within every browser's and proxy's limits. */
const MAX_LENGTH = 2000;

/** RFC 3986's characters without '#'; a percent sign only before two hex digits. */
const URI_SYNTAX = /^(?:[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/;

/** Captures scheme, authority, path and query. `new URL` would repair URIs that must be refused. */
const URI_PATTERN = /^([^:/?#]*):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?/;

const HOST_AND_PORT = /^([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.?|\[[0-9A-Fa-f:.]+\])(?::([^:]*))?$/;

/** Parameters that the authorization response adds to the query. */
const RESPONSE_PARAMETERS = ["code", "state", "error", "error_description", "iss"];

/**
 * Why `uri` can't be registered, or null if it can. It must be absolute; https, or http on
 * `localhost` or `127.0.0.1`; without fragment or userinfo (spec, OAuth client). Beyond the spec it
 * is refused if a browser would interpret it differently, or if it looks like a pattern.
 */
export function redirectUriProblem(uri: string): string | null {
  if (uri === "") return "is empty";
  if (uri.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (uri.includes("#")) return "has a fragment (#)";
  if (uri.includes("*")) return "has a wildcard (*); each URI is matched exactly";
  if (!URI_SYNTAX.test(uri))
    return "has characters that a URI can't have, or a % without two hex digits";
  const [, scheme, authority = "", path = "", query = ""] = URI_PATTERN.exec(uri) ?? [];
  if (scheme === undefined) return "is not an absolute URI";
  if (scheme !== "https" && scheme !== "http")
    return "is neither https:// nor a loopback http:// URI";
  if (authority.includes("@")) return "has a user name or password (@)";
  return authorityProblem(scheme, authority) ?? locationProblem(uri, path, query);
}

function authorityProblem(scheme: string, authority: string): string | null {
  const [, host, port] = HOST_AND_PORT.exec(authority) ?? [];
  if (host === undefined) return "has no valid host";
  if (port !== undefined && !isPort(port)) return "has a port that is not a number from 1 to 65535";
  if (scheme === "http" && host !== "localhost" && host !== "127.0.0.1") {
    return "is http, which only localhost and 127.0.0.1 may be; use https";
  }
  // Browsers read numbers such as 0x7f.1 or 127.1 as other addresses.
  const parsed = URL.parse(`${scheme}://${authority}`);
  return parsed?.hostname === host.toLowerCase()
    ? null
    : "has a host that is not in its usual form";
}

function locationProblem(uri: string, path: string, query: string): string | null {
  const parsed = URL.parse(uri);
  if (parsed?.pathname !== (path || "/")) return "has a . or .. segment in its path";
  const taken = RESPONSE_PARAMETERS.find((name) => new URLSearchParams(query).has(name));
  return taken ? `has the query parameter '${taken}', which the authorization response sets` : null;
}

function isPort(port: string): boolean {
  return /^[1-9][0-9]{0,4}$/.test(port) && Number(port) <= 65_535;
}
