const KNOWN =
  /^(?:\/oauth\/api\/(?:authorize|token|jwks)|\/api\/(?:responses|questions|sources|connection|deleted-responses))$/;
const BEGINNING = /^\/(?:oauth|api|docs|\.well-known)\//;

/**
 * What is logged of a request's URL, as the Caddyfile has it: the path, where that is known; else its beginning alone, as the rest may
 * hold a code or a state, and an unknown one anything.
 */
export function loggedPath(url: string | undefined): string {
  const path = url?.split("?", 1)[0] ?? "";
  return `${KNOWN.test(path) ? path : (BEGINNING.exec(path)?.[0] ?? "")}...`;
}
