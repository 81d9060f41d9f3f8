import { DirectoryError } from "./directory-error.ts";

/** RFC 5321's dot-atom, @, and a host name with a dot in it. ASCII only, so that no two addresses look alike. */
const EMAIL =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The address as it is stored: in lower case, without spaces around it. */
export function normalizeEmail(email: string): string {
  const normalized = email.trim().toLowerCase();
  if (normalized.length > 254 || normalized.indexOf("@") > 64 || !EMAIL.test(normalized)) {
    throw new DirectoryError(
      "INVALID_EMAIL",
      `${JSON.stringify(email)} is not an email address such as anna@shop.example`,
    );
  }
  return normalized;
}
