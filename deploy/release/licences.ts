import { type Component, isOurs, type Sbom } from "./sbom.ts";

/** They ask for a copy of their text and nothing else. */
const ALLOWED = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "Unlicense",
]);

/** By the beginning of its name: why another licence is no burden. */
const EXCEPTIONS: Readonly<Record<string, readonly [licence: string, reason: string]>> = {
  // LGPL: a shared library that sharp loads, unchanged, and that anybody may replace in the operator's image.
  "sharp-libvips-": ["LGPL-3.0-or-later", "a shared library of its own, unchanged"],
};

/** What of a bill of materials may not be published as it is, each in a line. */
export function licenceProblems({ components }: Sbom): string[] {
  return components.filter((component) => !isOurs(component)).flatMap(problem);
}

function problem(component: Component): string[] {
  const licences = (component.licenses ?? []).map(
    ({ license, expression }) => license?.id ?? license?.name ?? expression ?? "",
  );
  if (licences.length === 0) return [`${component.name}@${component.version} names no licence`];
  const [exception] = Object.entries(EXCEPTIONS).find(([name]) => component.name.startsWith(name))?.[1] ?? [];
  const others = licences.filter((licence) => !ALLOWED.has(licence) && licence !== exception);
  return others.map((licence) => `${component.name}@${component.version} is under ${licence}`);
}
