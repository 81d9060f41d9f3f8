import { isScope, SCOPES, type Scope } from "@partner-connect/contract";
import { DirectoryError } from "../directory-error.ts";
import { displayName } from "../display-name.ts";
import { normalizeEmail } from "../merchants/email.ts";
import { GRANT_TYPES, type GrantType } from "./client.ts";
import { redirectUriProblem } from "./registrable-redirect-uri.ts";
import { webAddress } from "./web-address.ts";

/** What may be registered for a client; each value counts once. */

/** @throws {DirectoryError} INVALID_REDIRECT_URI */
export function requireRedirectUris(uris: readonly string[]): string[] {
  if (uris.length === 0) throw new DirectoryError("INVALID_REDIRECT_URI", "a client needs at least one redirect URI");
  for (const uri of uris) {
    const problem = redirectUriProblem(uri);
    if (problem) throw new DirectoryError("INVALID_REDIRECT_URI", `the redirect URI ${JSON.stringify(uri)} ${problem}`);
  }
  return [...new Set(uris)];
}

/** @throws {DirectoryError} INVALID_SCOPE */
export function requireScope(values: readonly string[]): Scope[] {
  const unknown = values.find((value) => !isScope(value));
  if (unknown !== undefined || values.length === 0) {
    const problem =
      unknown === undefined ? "a client needs at least one scope" : `${JSON.stringify(unknown)} is not a scope`;
    throw new DirectoryError("INVALID_SCOPE", `${problem}: there are ${SCOPES.join(" and ")}`);
  }
  return [...new Set(values.filter(isScope))];
}

/** Validates the optional scopes of a client with this `scope`. @throws {DirectoryError} INVALID_SCOPE */
export function requireOptionalScope(values: readonly string[], scope: readonly Scope[]): Scope[] {
  const other = values.find((value) => !(scope as readonly string[]).includes(value));
  if (other !== undefined) {
    throw new DirectoryError(
      "INVALID_SCOPE",
      `${JSON.stringify(other)} is not one of the client's scopes: ${scope.join(" ")}`,
    );
  }
  return scope.filter((value) => values.includes(value));
}

/** @throws {DirectoryError} INVALID_GRANT_TYPE */
export function requireGrantTypes(values: readonly string[]): GrantType[] {
  const known = GRANT_TYPES.filter((grantType) => values.includes(grantType));
  const unknown = values.find((value) => !(GRANT_TYPES as readonly string[]).includes(value));
  if (unknown !== undefined || known.length === 0) {
    const problem =
      unknown === undefined
        ? "a client needs at least one grant type"
        : `${JSON.stringify(unknown)} is not a grant type`;
    throw new DirectoryError("INVALID_GRANT_TYPE", `${problem}: there are ${GRANT_TYPES.join(" and ")}`);
  }
  return known;
}

/** The company behind a client, as merchants see it when they decide. */
export interface ClientIdentity {
  /** The company. */
  readonly publisher: string | null | undefined;
  readonly website: string | null | undefined;
  readonly privacyPolicy: string | null | undefined;
  readonly contact: string | null | undefined;
}

/** The same as it is stored; what is absent stays so. @throws {DirectoryError} INVALID_NAME, INVALID_WEB_ADDRESS, INVALID_EMAIL */
export function requireIdentity(given: Partial<ClientIdentity>): ClientIdentity {
  const unlessAbsent = (value: string | null | undefined, rule: (text: string) => string) =>
    value === null || value === undefined ? value : rule(value);
  return {
    publisher: unlessAbsent(given.publisher, (name) => displayName(name, "publisher")),
    website: unlessAbsent(given.website, (address) => webAddress(address, "website")),
    privacyPolicy: unlessAbsent(given.privacyPolicy, (address) => webAddress(address, "privacy policy")),
    contact: unlessAbsent(given.contact, normalizeEmail),
  };
}
