import { DirectoryError } from "./directory-error.ts";

const MAX_LENGTH = 100;

/**
 * Invisible characters: controls, line breaks, marks that change the direction of writing,
 * characters that a font may leave out by Unicode's rules (soft hyphens, fillers, tags), and two
 * symbols that are blank. With them a name on the consent page could look like another one, or
 * empty. Joiners and variation selectors stay: scripts and emoji need them.
 */
const UNSEEN =
  /(?![\p{Join_Control}\p{Variation_Selector}])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800\u{1d159}]/gu;

/**
 * Removes invisible characters from a name, and replaces line breaks and tabs by spaces. `what` is
 * the thing that has the name, for the error. @throws {DirectoryError} INVALID_NAME if the result is
 * empty, too long or has no visible character
 */
export function displayName(name: string, what: string): string {
  const visible = removeInvisible(name.replace(/[\t\n\r]+/g, " "));
  const problem = nameProblem(visible);
  if (problem) throw new DirectoryError("INVALID_NAME", `the ${what}'s name ${problem}`);
  return visible;
}

/** The text without invisible characters, and without spaces at its ends. */
export function removeInvisible(name: string): string {
  return name.replace(UNSEEN, "").trim();
}

/** True if the text has a visible character. */
export function hasVisibleCharacter(text: string): boolean {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(removeInvisible(text));
}

function nameProblem(name: string): string | null {
  if (name === "") return "is empty";
  if ([...name].length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  return hasVisibleCharacter(name) ? null : "has nothing to read in it";
}
