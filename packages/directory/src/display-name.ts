import { DirectoryError } from "./directory-error.ts";

const MAX_LENGTH = 100;

/**
 * Control characters, line breaks, and the marks that turn the direction of writing: on the consent page they could
 * make one name look like another.
 */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;

/** A name that people will read, without spaces around it. `what` names it in the refusal. */
export function displayName(name: string, what: string): string {
  const trimmed = name.trim();
  const problem = problemOf(trimmed);
  if (problem) throw new DirectoryError("INVALID_NAME", `the ${what}'s name ${problem}`);
  return trimmed;
}

function problemOf(name: string): string | null {
  if (name === "") return "is empty";
  if ([...name].length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (UNSEEN.test(name)) return "has control, direction or invisible characters";
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(name) ? null : "has nothing to read in it";
}
