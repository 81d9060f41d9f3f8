import { IGNORED_PARAMETERS } from "@partner-connect/contract/openapi";

const MOST_NAMES = 10;
const MOST_CHARACTERS = 64;

/** Names `sent` parameters that are not `known` in a response header, percent-encoded and bounded, without values. */
export function nameIgnored(
  answer: { header(name: string, value: string): unknown },
  sent: Iterable<string>,
  known: object,
): void {
  const ignored = [...sent].filter((name) => !Object.hasOwn(known, name) && name !== "");
  if (ignored.length === 0) return;
  answer.header(IGNORED_PARAMETERS, [...new Set(ignored)].slice(0, MOST_NAMES).map(shown).join(", "));
}

function shown(name: string): string {
  const encoded = encodeURIComponent(name.slice(0, MOST_CHARACTERS).toWellFormed());
  return encoded.slice(0, MOST_CHARACTERS).replace(/%.?$/, "");
}
