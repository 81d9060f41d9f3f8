import { DirectoryError } from "./directory-error.ts";

const MAX_LENGTH = 100;

/**
 * Characters that nobody sees: controls, line breaks, marks that turn the direction of writing, what Unicode lets a font
 * leave out (soft hyphens, fillers, tags), and two symbols that are blank. On the consent page they could make one name
 * look like another, or like none. Joiners and variation selectors may stay: scripts and emoji need them.
 */
const UNSEEN =
  /(?![\p{Join_Control}\p{Variation_Selector}])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800\u{1d159}]/gu;

/** A name that people will read, without spaces around it. `what` names it in the refusal. */
export function displayName(name: string, what: string): string {
  const trimmed = name.trim();
  const problem = problemOf(trimmed);
  if (problem) throw new DirectoryError("INVALID_NAME", `the ${what}'s name ${problem}`);
  return trimmed;
}

/** A name that was stored before the rule, or under an older one, as it may be shown. */
export function withoutUnseen(name: string): string {
  return name.replace(UNSEEN, "").trim();
}

function problemOf(name: string): string | null {
  if (name === "") return "is empty";
  if ([...name].length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (name.search(UNSEEN) >= 0) return "has control, direction or invisible characters";
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(name) ? null : "has nothing to read in it";
}
