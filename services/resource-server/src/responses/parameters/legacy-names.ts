import type { QueryParameters } from "../../http/query-string.ts";

/** Spec, legacy parameter names. The sort and updated_at_* have no legacy form. */
export const LEGACY_NAMES: ReadonlyMap<string, string> = new Map([
  ["since", "inserted_at_min"],
  ["until", "inserted_at_max"],
  ["after", "starting_after"],
  ["before", "ending_before"],
]);

/** The parameters under their canonical names. Where both are sent the legacy one is ignored whatever it holds, so this comes first. */
export function canonicalParameters(parameters: QueryParameters): QueryParameters {
  if (parameters.size === 0) return parameters;
  const canonical = new Map<string, readonly string[]>();
  for (const [name, values] of parameters) {
    const target = LEGACY_NAMES.get(name);
    if (target === undefined) canonical.set(name, values);
    else if (!parameters.has(target)) canonical.set(target, values);
  }
  return canonical;
}
