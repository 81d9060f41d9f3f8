/** What the authorization server answers. */
export const OAUTH_PREFIXES = ["/oauth", "/.well-known"] as const;
/** What the resource server answers. */
export const API_PREFIXES = ["/api"] as const;

const EVERYTHING = [...OAUTH_PREFIXES, ...API_PREFIXES];

/** The three public hosts: the base URL's has everything, the other two their half. */
const HOSTS: Readonly<Record<string, readonly string[]>> = {
  localhost: EVERYTHING,
  "127.0.0.1": EVERYTHING,
  "[::1]": EVERYTHING,
  "auth.localhost": OAUTH_PREFIXES,
  "api.localhost": API_PREFIXES,
};

/** Whether the host has the path, both as they stand in the request; any port will do, as a forwarded one differs. */
export function isServed(host: string | undefined, path: string): boolean {
  const name = (host ?? "").toLowerCase().replace(/:\d*$/, "");
  const prefixes = Object.hasOwn(HOSTS, name) ? HOSTS[name] : undefined;
  return prefixes?.some((prefix) => path.startsWith(`${prefix}/`)) ?? false;
}
