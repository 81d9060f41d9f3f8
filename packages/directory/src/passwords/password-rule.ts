import { DirectoryError } from "../directory-error.ts";
import { hasVisibleCharacter } from "../display-name.ts";
import { shownAddress } from "../merchants/email.ts";
import { normalizedPassword } from "./password.ts";

/**
 * Minimum number of characters, by who chooses the password. There may be no second factor, so
 * people need 15 (SP 800-63B-4, 3.1.1.2); scripts, which generate passwords, need 8 (ASVS 5.0,
 * 6.2.1).
 */
export const MIN_PASSWORD_LENGTH = { person: 15, script: 8 } as const;
const MAX_PASSWORD_LENGTH = 256;

export type PasswordChooser = keyof typeof MIN_PASSWORD_LENGTH;

/** The account's email, names and shops, whose words attackers guess first. */
export interface PasswordOwner {
  readonly email: string;
  readonly name: string;
  /** The product's name on our pages, if it is not the default. */
  readonly product?: string | undefined;
  readonly shops?: readonly { readonly name: string; readonly domain: string | null }[] | undefined;
}

export type PasswordProblem =
  | "too_short"
  | "too_long"
  /** The password has only invisible characters. */
  | "blank"
  /** The password is on the list of common passwords. */
  | "common"
  /** The password is little more than an email, a name or domain of the owner's, or our name. */
  | "personal";

const PRODUCT = "Partner Connect";

/**
 * The problem with a new password, or null. No composition rules (ASVS 5.0, 6.2.5). The length is
 * counted in Unicode characters, as typed and as hashed; blanks at its ends add nothing to it. Only
 * new passwords are checked: existing ones keep working if the rule changes.
 */
export async function passwordProblem(
  password: string,
  owner: PasswordOwner,
  chooser: PasswordChooser,
): Promise<PasswordProblem | null> {
  const least = MIN_PASSWORD_LENGTH[chooser];
  const lengths = [password, normalizedPassword(password)].map((form) => [...form].length);
  if (Math.min(...lengths) < least) return "too_short";
  if (Math.max(...lengths) > MAX_PASSWORD_LENGTH) return "too_long";
  if (!hasVisibleCharacter(password)) return "blank";
  const trimmed = foldCase(password).trim();
  if ([...trimmed].length < least) return "too_short";
  if (await isCommonPassword(trimmed)) return "common";
  const letters = lettersOf(password);
  const rest = wordsOf(owner).reduce((left, word) => left.replaceAll(word, ""), letters);
  if (rest === letters) return null;
  // What remains must be long enough for a secret and, from a person, not common.
  if ([...rest].length < Math.floor(least / 2)) return "personal";
  return chooser === "person" && (await isCommonPassword(rest)) ? "personal" : null;
}

/**
 * @throws {DirectoryError} INVALID_PASSWORD; its message is for operators, and does not contain the
 * password
 */
export async function requirePassword(
  password: string,
  owner: PasswordOwner,
  chooser: PasswordChooser,
): Promise<void> {
  const problem = await passwordProblem(password, owner, chooser);
  if (problem)
    throw new DirectoryError("INVALID_PASSWORD", `the password ${descriptions(chooser)[problem]}`);
}

function descriptions(chooser: PasswordChooser): Readonly<Record<PasswordProblem, string>> {
  const lengths = `must have ${MIN_PASSWORD_LENGTH[chooser]} to ${MAX_PASSWORD_LENGTH} characters`;
  return {
    ...{ too_short: lengths, too_long: lengths, blank: "must not consist only of blanks" },
    common:
      "is one of the most common: choose another, such as four words that have nothing in common",
    personal: `must not be made of the email address, the merchant's or a shop's name, a domain or '${PRODUCT}': they are guessed first`,
  };
}

/** The owner's words without separators, the longest first, because one may contain another. */
function wordsOf({ email, name, product = PRODUCT, shops = [] }: PasswordOwner): string[] {
  const [local = ""] = email.split("@");
  const domains = shops
    .map(({ domain }) => shownAddress(domain ?? ""))
    .flatMap((domain) => [domain, domain.slice(0, domain.lastIndexOf("."))]);
  const words = [
    PRODUCT,
    product,
    email,
    local,
    name,
    ...shops.map((shop) => shop.name),
    ...domains,
  ].map(lettersOf);
  return words.filter((word) => word.length >= MIN_WORD_LENGTH).sort((a, b) => b.length - a.length);
}

/** Minimum letters of an owner's word: shorter ones occur by chance in too many good passwords. */
const MIN_WORD_LENGTH = 4;

function foldCase(text: string): string {
  return normalizedPassword(text).toLowerCase();
}

/** Folds the text, and removes punctuation, spaces and symbols, but no letters, digits or emoji. */
function lettersOf(text: string): string {
  return foldCase(text).replace(/[\p{P}\p{Z}\p{Sc}\p{Sk}\p{Sm}]/gu, "");
}

/**
 * The list of common passwords, half a megabyte. It is loaded when first used, because most
 * commands and requests check no new password.
 */
const commonPasswords = async (): Promise<readonly string[]> =>
  (await import("@zxcvbn-ts/language-common")).dictionary["passwords-common"];

/** Maximum characters of a repetition that is refused: longer ones are not guessed early. */
const MAX_REPEATED_LENGTH = 32;

/**
 * True if `text` is one of zxcvbn's 49,000 common passwords, or repeats one (`passwordpassword`) or
 * one to four characters (`123412341234123`). Only the whole text is compared (SP 800-63B-4,
 * 3.1.1.2), so a sentence of common words is fine. `text` is in lower case, as the list is.
 */
async function isCommonPassword(text: string): Promise<boolean> {
  const common = await commonPasswords();
  if (common.includes(text)) return true;
  if (text.length > MAX_REPEATED_LENGTH) return false;
  const unit = repeatedUnit(text);
  return unit !== text && (unit.length <= 4 || common.includes(unit));
}

/**
 * The shortest prefix that gives the text when repeated, at least one and a half times; else the
 * text itself.
 */
function repeatedUnit(text: string): string {
  const longest = Math.floor(text.length / 1.5);
  for (let length = 1; length <= longest; length += 1) {
    const unit = text.slice(0, length);
    if (unit.repeat(text.length).startsWith(text)) return unit;
  }
  return text;
}
