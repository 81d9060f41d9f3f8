import { DirectoryError } from "../directory-error.ts";

const MAX_LENGTH = 500;

/**
 * Validates the URL of a page that our pages link to, and normalizes it like a browser: https, a public host name, no user name. `what`
 * names the field in the error, such as 'website'. @throws {DirectoryError} INVALID_WEB_ADDRESS
 */
export function webAddress(text: string, what: string): string {
  const trimmed = text.trim();
  const url = URL.parse(trimmed);
  const problem = problemOf(trimmed, url);
  if (problem === null && url) return url.href;
  throw new DirectoryError("INVALID_WEB_ADDRESS", `the ${what} ${JSON.stringify(trimmed)} ${problem}`);
}

function problemOf(text: string, url: URL | null): string | null {
  if (text === "") return "is empty";
  if (text.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  // `new URL` would repair both.
  if (!/^https:\/\/[^/\\?#]/i.test(text)) return "is not an https:// address";
  if (/[\s\p{C}\\]/u.test(text) || !url) return "is not a valid address";
  if (/^[^/?#]*\/\/[^/?#]*@/.test(text)) return "has a user name or password (@)";
  if (url.hostname.startsWith("[") || /^[\d.]+$/.test(url.hostname)) return "has a number for a host: give its name";
  return /^[^.]+(?:\.[^.]+)+$/.test(url.hostname) ? null : "has a host without a public name";
}
