import { SCOPES, type Scope } from "@partner-connect/contract";
import { DirectoryError, type DirectoryErrorCode } from "../directory-error.ts";
import { displayName } from "../display-name.ts";
import { normalizeEmail } from "../merchants/email.ts";
import { GRANT_TYPES, type GrantType } from "./clients.ts";
import { redirectUriProblem } from "./registrable-redirect-uri.ts";

/** @throws {DirectoryError} INVALID_REDIRECT_URI */
export function requireRedirectUris(uris: readonly string[]): string[] {
  if (uris.length === 0)
    throw new DirectoryError("INVALID_REDIRECT_URI", "a client needs at least one redirect URI");
  for (const uri of uris) {
    const problem = redirectUriProblem(uri);
    if (problem) throw redirectUriError(uri, problem);
  }
  return [...new Set(uris)];
}

export function redirectUriError(uri: string, why: string): DirectoryError {
  const problem = `the redirect URI ${JSON.stringify(uri)} ${why}`;
  return new DirectoryError("INVALID_REDIRECT_URI", problem);
}

/** @throws {DirectoryError} INVALID_SCOPE */
export const requireScope = (values: readonly string[]): Scope[] =>
  requireKnownValues(values, SCOPES, "scope", "INVALID_SCOPE");

/** @throws {DirectoryError} INVALID_GRANT_TYPE */
export const requireGrantTypes = (values: readonly string[]): GrantType[] =>
  requireKnownValues(values, GRANT_TYPES, "grant type", "INVALID_GRANT_TYPE");

function requireKnownValues<Value extends string>(
  values: readonly string[],
  known: readonly Value[],
  what: string,
  code: DirectoryErrorCode,
): Value[] {
  const isKnown = (value: string): value is Value => (known as readonly string[]).includes(value);
  if (values.length > 0 && values.every(isKnown)) return [...new Set(values)];
  const unknown = values.find((value) => !isKnown(value));
  const problem =
    unknown === undefined
      ? `a client needs at least one ${what}`
      : `${JSON.stringify(unknown)} is not a ${what}`;
  throw new DirectoryError(code, `${problem}: there are ${known.join(" and ")}`);
}

/** The company behind a client, as merchants see it on the consent page. */
export interface ClientIdentity {
  /** The company's name. */
  readonly publisher: string | null | undefined;
  readonly website: string | null | undefined;
  readonly privacyPolicy: string | null | undefined;
  readonly contact: string | null | undefined;
}

/**
 * Normalizes an identity for storage; absent fields stay absent.
 * @throws {DirectoryError} INVALID_NAME, INVALID_WEB_ADDRESS, INVALID_EMAIL
 */
export function requireIdentity(given: Partial<ClientIdentity>): ClientIdentity {
  const unlessAbsent = (value: string | null | undefined, rule: (text: string) => string) =>
    value === null || value === undefined ? value : rule(value);
  return {
    publisher: unlessAbsent(given.publisher, (name) => displayName(name, "publisher")),
    website: unlessAbsent(given.website, (address) => requireWebAddress(address, "website")),
    privacyPolicy: unlessAbsent(given.privacyPolicy, (address) =>
      requireWebAddress(address, "privacy policy"),
    ),
    contact: unlessAbsent(given.contact, normalizeEmail),
  };
}

const MAX_ADDRESS_LENGTH = 500;

/**
 * Validates the URL of a page that our pages link to, and normalizes it like a browser: https, a
 * public host name, no user name. `what` names the field in the error, such as 'website'.
 * @throws {DirectoryError} INVALID_WEB_ADDRESS
 */
export function requireWebAddress(text: string, what: string): string {
  const trimmed = text.trim();
  const url = URL.parse(trimmed);
  const why = webAddressProblem(trimmed, url);
  if (why === null && url) return url.href;
  const problem = `the ${what} ${JSON.stringify(trimmed)} ${why}`;
  throw new DirectoryError("INVALID_WEB_ADDRESS", problem);
}

function webAddressProblem(text: string, url: URL | null): string | null {
  if (text === "") return "is empty";
  if (text.length > MAX_ADDRESS_LENGTH) return `is longer than ${MAX_ADDRESS_LENGTH} characters`;
  // These checks precede the parsed URL's, because `URL.parse` repairs such addresses.
  if (!/^https:\/\/[^/\\?#]/i.test(text)) return "is not an https:// address";
  if (/[\s\p{C}\\]/u.test(text) || !url) return "is not a valid address";
  if (/^[^/?#]*\/\/[^/?#]*@/.test(text)) return "has a user name or password (@)";
  if (url.hostname.startsWith("[") || /^[\d.]+$/.test(url.hostname))
    return "has a number for a host: give its name";
  return /^[^.]+(?:\.[^.]+)+$/.test(url.hostname) ? null : "has a host without a public name";
}
