import { isDeepStrictEqual } from "node:util";

/** For records: the fields that differ, under the names of `fields`, each with both values. */
export function changesOf<Subject>(before: Subject, after: Subject, fields: Readonly<Record<string, keyof Subject>>) {
  const changes = Object.entries(fields).map(([name, key]) => [name, { from: before[key], to: after[key] }] as const);
  return Object.fromEntries(changes.filter(([, { from, to }]) => !isDeepStrictEqual(from, to)));
}
