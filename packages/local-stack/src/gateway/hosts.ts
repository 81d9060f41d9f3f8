const LLMS_TXT = ["/llms.txt", "/llms-full.txt"] as const;
export const OAUTH_PREFIXES = ["/oauth", "/.well-known", "/docs", "/partner", ...LLMS_TXT] as const;
/** RFC 9728: the API's metadata, which stands beside the authorization server's. It is a path by itself, too. */
const API_METADATA = "/.well-known/oauth-protected-resource";
export const API_PREFIXES = ["/api", API_METADATA] as const;

const EVERYTHING = [...OAUTH_PREFIXES, ...API_PREFIXES];

/** Pages beside the prefixes; and each mail is one. */
const PAGES = ["/", "/docs", "/partner", ...LLMS_TXT, "/mail", "/mail.json"];

/** The public hosts: the base URL's serves everything, the other two one service each. */
const HOSTS: Readonly<Record<string, readonly string[]>> = {
  localhost: EVERYTHING,
  "127.0.0.1": EVERYTHING,
  "[::1]": EVERYTHING,
  "auth.localhost": OAUTH_PREFIXES,
  "api.localhost": API_PREFIXES,
};

/** The host without its port, if it is one of the public hosts. The port doesn't count, as a forwarded port differs. */
export function servedHost(host: string | undefined): string | undefined {
  const name = (host ?? "").toLowerCase().replace(/:\d*$/, "");
  return Object.hasOwn(HOSTS, name) ? name : undefined;
}

export function isServed(host: string | undefined, path: string): boolean {
  const name = servedHost(host);
  const prefixes = name === undefined ? undefined : HOSTS[name];
  if (PAGES.includes(path) || /^\/mail\/\w+$/.test(path)) return prefixes?.includes("/docs") ?? false;
  const prefix = longestPrefix(path);
  return prefix !== undefined && (prefixes?.includes(prefix) ?? false);
}

function longestPrefix(path: string): string | undefined {
  const fits = EVERYTHING.filter((prefix) => path.startsWith(`${prefix}/`) || path === API_METADATA);
  return fits.toSorted((a, b) => b.length - a.length)[0];
}

const KNOWN =
  /^(?:\/oauth\/api\/(?:authorize|token|token\/batch|revoke|connections|changes|jwks)|\/api\/(?:responses|questions|sources|connection|deleted-responses))$/;
const BEGINNING = /^\/(?:oauth|api|docs|\.well-known)\//;

/** The path, where it is known; else its beginning alone, as the rest may hold a code. As the Caddyfile has it. */
export function loggedPath(url: string | undefined): string {
  const path = url?.split("?", 1)[0] ?? "";
  return `${KNOWN.test(path) ? path : (BEGINNING.exec(path)?.[0] ?? "")}...`;
}
