import { displayName } from "../display-name.ts";
import { webAddress } from "./web-address.ts";

/** Who is behind a client, as merchants read it when they decide. */
export interface ClientIdentity {
  /** The company. */
  readonly publisher: string | null | undefined;
  readonly website: string | null | undefined;
  readonly privacyPolicy: string | null | undefined;
}

/** The same as it is stored; what is absent stays so. @throws {DirectoryError} INVALID_NAME, INVALID_WEB_ADDRESS */
export function requireIdentity(given: Partial<ClientIdentity>): ClientIdentity {
  const unlessAbsent = (value: string | null | undefined, rule: (text: string) => string) =>
    value === null || value === undefined ? value : rule(value);
  return {
    publisher: unlessAbsent(given.publisher, (name) => displayName(name, "publisher")),
    website: unlessAbsent(given.website, (address) => webAddress(address, "website")),
    privacyPolicy: unlessAbsent(given.privacyPolicy, (address) => webAddress(address, "privacy policy")),
  };
}
