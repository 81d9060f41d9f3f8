import { isScope, type Scope } from "./scope.ts";

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
