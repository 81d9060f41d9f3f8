/** The paths of the authorization server. */
export const OAUTH_PREFIXES = ["/oauth", "/.well-known", "/docs"] as const;
/** The paths of the resource server. */
export const API_PREFIXES = ["/api"] as const;

const EVERYTHING = [...OAUTH_PREFIXES, ...API_PREFIXES];

/** Where a prefix alone is a page, too. */
const PAGES = ["/", "/docs"];

/** The public hosts: the base URL's serves everything, the other two one service each. */
const HOSTS: Readonly<Record<string, readonly string[]>> = {
  localhost: EVERYTHING,
  "127.0.0.1": EVERYTHING,
  "[::1]": EVERYTHING,
  "auth.localhost": OAUTH_PREFIXES,
  "api.localhost": API_PREFIXES,
};

/** Whether the request's host serves its path. The port doesn't count, as a forwarded port differs. */
export function isServed(host: string | undefined, path: string): boolean {
  const name = (host ?? "").toLowerCase().replace(/:\d*$/, "");
  const prefixes = Object.hasOwn(HOSTS, name) ? HOSTS[name] : undefined;
  if (PAGES.includes(path)) return prefixes?.includes("/docs") ?? false;
  return prefixes?.some((prefix) => path.startsWith(`${prefix}/`)) ?? false;
}
