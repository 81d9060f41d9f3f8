/** Loaded when first used: most commands and requests check no new password, and the list is half a megabyte. */
const commonPasswords = async (): Promise<readonly string[]> =>
  (await import("@zxcvbn-ts/language-common")).dictionary["passwords-common"];

/** Characters up to which a repeated password is guessed early. */
const MAX_REPEATED_LENGTH = 32;

/**
 * Whether many people have this password: one of zxcvbn's 49,000, or one of them over and over (`passwordpassword`,
 * `123456789012345`), or up to four characters over and over. The whole is compared and no part of it (SP 800-63B-4, 3.1.1.2), so
 * a sentence of common words is fine. `text` is in lower case, as the list is.
 */
export async function isCommonPassword(text: string): Promise<boolean> {
  const common = await commonPasswords();
  if (common.includes(text)) return true;
  if (text.length > MAX_REPEATED_LENGTH) return false;
  const unit = repeatedUnit(text);
  return unit !== text && (unit.length <= 4 || common.includes(unit));
}

/** The shortest beginning that makes up the text when it is repeated, at least half of it once more; else the text itself. */
function repeatedUnit(text: string): string {
  const longest = Math.floor(text.length / 1.5);
  for (let length = 1; length <= longest; length += 1) {
    const unit = text.slice(0, length);
    if (unit.repeat(Math.ceil(text.length / length)).startsWith(text)) return unit;
  }
  return text;
}
