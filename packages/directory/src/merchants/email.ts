import { domainToASCII, domainToUnicode } from "node:url";
import { DirectoryError } from "../directory-error.ts";

/**
 * RFC 5321's dot-atom, @, and a host name with a dot. ASCII only: a domain in another script is
 * given by its A-label.
 */
const EMAIL =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The canonical form in which an address is stored, looked up, counted and logged: trimmed, in
 * lower case, the domain as an A-label. Null if it is not an address. ASCII only, because
 * JavaScript and Postgres lower-case other letters differently.
 */
export function canonicalEmail(typed: string): string | null {
  const { local, domain } = splitAddress(typed.trim());
  const address = local === "" ? domain : local + asciiDomain(domain);
  return /^[!-~]{1,254}$/.test(address) ? address.toLowerCase() : null;
}

/** Splits at the last @. `local` includes it, and is empty if there is none. */
function splitAddress(text: string) {
  const end = text.lastIndexOf("@") + 1;
  return { local: text.slice(0, end), domain: text.slice(end) };
}

/**
 * Converts a domain to ASCII (A-labels, RFC 5890). Returns text unchanged if it has other characters
 * than letters, marks, digits, dots and hyphens, because the conversion expects a URL's host.
 */
export function asciiDomain(text: string): string {
  const isOther =
    /[^ -~]/.test(text) && text.length <= 254 && /^[\p{L}\p{M}\p{N}.·・-]+$/u.test(text);
  return (isOther && domainToASCII(text)) || text;
}

/**
 * Converts the domain of a stored address, or a stored domain, to Unicode. Returns it unchanged if
 * `asciiDomain` would not convert it back.
 */
export function shownAddress(stored: string): string {
  const { local, domain } = splitAddress(stored);
  const shown = /^[a-z0-9.-]+$/.test(domain) ? domainToUnicode(domain) : domain;
  return local + (asciiDomain(shown) === domain ? shown : domain);
}

/** The address in its stored form. @throws {DirectoryError} INVALID_EMAIL */
export function normalizeEmail(email: string): string {
  const normalized = canonicalEmail(email);
  if (normalized !== null && normalized.indexOf("@") <= 64 && EMAIL.test(normalized))
    return normalized;
  const other = /^[^@]*?([^ -~@])/u.exec(email.trim())?.[1]?.codePointAt(0);
  const why =
    other !== undefined &&
    `: it has U+${other.toString(16).toUpperCase().padStart(4, "0")}, and the part before the @ is ASCII`;
  const problem = `${JSON.stringify(email)} is not an email address such as anna@shop.example${why || ""}`;
  throw new DirectoryError("INVALID_EMAIL", problem);
}
