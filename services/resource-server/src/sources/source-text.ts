/** Postgres stores no NUL, and half of a surrogate pair is no text. Only texts are judged. */
export function isStorable(value: unknown): boolean {
  return typeof value !== "string" || (!value.includes("\0") && value.isWellFormed());
}

/**
 * An absolute http or https URL. Its readers drop tabs and line breaks, take a backslash for a slash, and write other characters anew: a text with
 * these would lead elsewhere than it says.
 */
export function isHttpUrl(text: string): boolean {
  return isStorable(text) && /^https?:\/\/[^/]/i.test(text) && !REWRITTEN.test(text) && URL.canParse(text);
}

const REWRITTEN = /[\s\p{Cc}\p{Bidi_Control}"<>\\]/u;
