/** Spec, Scopes. */
export const SCOPES = ["responses:read", "sources:write"] as const;
export type Scope = (typeof SCOPES)[number];

/** Whether it opens personal data of a shop's customers. */
export function opensPersonalData(scope: readonly Scope[]): boolean {
  return scope.includes("responses:read");
}

/** RFC 6749 §3.3: a list of scopes, one space between two. */
export const SCOPE_LIST = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;

export function isScope(value: string): value is Scope {
  return (SCOPES as readonly string[]).includes(value);
}

/**
 * A `scope` parameter's values in order, each once; null if it isn't a scope list (RFC 6749 §3.3). It does not check for {@link SCOPES}.
 */
export function parseScope(scope: string): string[] | null {
  if (!SCOPE_LIST.test(scope)) return null;
  return [...new Set(scope.split(" "))];
}

/** What a shop has bought. */
export const PLANS = ["standard", "advanced_attribution"] as const;
export type Plan = (typeof PLANS)[number];

/** Spec, Scopes: `sources:write` needs the advanced attribution plan. */
const SCOPES_OF_PLAN: Readonly<Record<Plan, readonly Scope[]>> = {
  standard: ["responses:read"],
  advanced_attribution: ["responses:read", "sources:write"],
};

/** The scopes that a shop's plan allows. An API key of the shop has them all. */
export function scopeOfPlan(plan: Plan): readonly Scope[] {
  return SCOPES_OF_PLAN[plan];
}

/** What of `requested` can be granted: what both the client and the shop's plan may have, in the order requested. */
export function grantableScope(requested: readonly string[], clientScope: readonly string[], plan: Plan): Scope[] {
  return requested.filter(
    (value): value is Scope => isScope(value) && clientScope.includes(value) && scopeOfPlan(plan).includes(value),
  );
}
