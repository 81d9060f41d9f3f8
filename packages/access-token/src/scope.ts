/** Spec, Scopes. */
export const SCOPES = ["responses:read", "sources:write"] as const;
export type Scope = (typeof SCOPES)[number];

export const PLANS = ["standard", "advanced_attribution"] as const;
export type Plan = (typeof PLANS)[number];

const SCOPES_OF_PLAN: Readonly<Record<Plan, readonly Scope[]>> = {
  standard: ["responses:read"],
  advanced_attribution: ["responses:read", "sources:write"],
};

export function isScope(value: string): value is Scope {
  return (SCOPES as readonly string[]).includes(value);
}

/** The scopes that a shop's plan allows; what an API key of that shop may do. */
export function scopeOfPlan(plan: Plan): readonly Scope[] {
  return SCOPES_OF_PLAN[plan];
}

/**
 * A `scope` parameter's values in order, each once; null if it isn't a scope list (RFC 6749 §3.3): empty, or with a
 * delimiter other than one space. Whether each value is a scope that we know is the caller's question.
 */
export function parseScope(scope: string): string[] | null {
  if (!/^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(scope)) return null;
  return [...new Set(scope.split(" "))];
}

/** What can be granted of `requested`: what the client may have and the shop's plan allows, in the order requested. */
export function grantableScope(requested: readonly string[], clientScope: readonly string[], plan: Plan): Scope[] {
  return requested.filter(
    (value): value is Scope => isScope(value) && clientScope.includes(value) && scopeOfPlan(plan).includes(value),
  );
}
