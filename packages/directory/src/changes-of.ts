import { isDeepStrictEqual } from "node:util";

/** The fields of `after` that differ from `before`, each with both values, for audit records. */
export function changesOf<After extends object>(
  before: { readonly [Name in keyof After]: unknown },
  after: After,
) {
  const names = (Object.keys(after) as (keyof After & string)[]).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  );
  return Object.fromEntries(names.map((name) => [name, { from: before[name], to: after[name] }]));
}
