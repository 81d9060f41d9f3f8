/** Spec, Scopes. */
export const SCOPES = ["responses:read", "sources:write"] as const;
export type Scope = (typeof SCOPES)[number];

/** RFC 6749 §3.3: a list of scopes, one space between two. */
export const SCOPE_LIST = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;

export function isScope(value: string): value is Scope {
  return (SCOPES as readonly string[]).includes(value);
}

/**
 * A `scope` parameter's values in order, each once; null if it isn't a scope list (RFC 6749 §3.3): empty, or with a
 * delimiter other than one space. It does not check whether each value is one of {@link SCOPES}.
 */
export function parseScope(scope: string): string[] | null {
  if (!SCOPE_LIST.test(scope)) return null;
  return [...new Set(scope.split(" "))];
}
