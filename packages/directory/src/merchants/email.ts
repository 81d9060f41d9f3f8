import { DirectoryError } from "../directory-error.ts";

/** RFC 5321's dot-atom, @, and a host name with a dot in it. ASCII only, so that no two addresses look alike. */
const EMAIL =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The canonical form in which an address is stored, looked up, counted and logged: lower case, trimmed. Null if it is not an address. ASCII
 * only: JavaScript and Postgres differ in lower-casing other letters.
 */
export function canonicalEmail(typed: string): string | null {
  const trimmed = typed.trim();
  return /^[!-~]{1,254}$/.test(trimmed) ? trimmed.toLowerCase() : null;
}

/** The address as it is stored. @throws {DirectoryError} INVALID_EMAIL */
export function normalizeEmail(email: string): string {
  const normalized = canonicalEmail(email);
  if (normalized !== null && normalized.indexOf("@") <= 64 && EMAIL.test(normalized)) return normalized;
  const other = /[^ -~]/u.exec(email.trim())?.[0].codePointAt(0);
  const why =
    other !== undefined && `: it has U+${other.toString(16).toUpperCase().padStart(4, "0")}, and addresses are ASCII`;
  throw new DirectoryError(
    "INVALID_EMAIL",
    `${JSON.stringify(email)} is not an email address such as anna@shop.example${why || ""}`,
  );
}
