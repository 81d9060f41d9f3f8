import { PLANS, type Scope, scopeOfPlan } from "@partner-connect/contract";

/**
 * A condition: the plan of the shop allows the scope. Every plan allows `responses:read`; `sources:write` needs the plan
 * `advanced_attribution` (spec, Scopes). `shop` is the parameter with the shop's id. Index: shops_pkey.
 */
export function planAllowsSql(scope: Scope, shop: string): string {
  const plans = PLANS.filter((plan) => scopeOfPlan(plan).includes(scope));
  if (plans.length === PLANS.length) return "true";
  return `(SELECT plan FROM directory.shops WHERE id = ${shop}) IN (${plans.map((plan) => `'${plan}'`).join(", ")})`;
}
