import { headerValues } from "@partner-connect/service-runtime";

/**
 * The credential in the `Authorization` header: `Bearer <token>`, or an API key without a prefix.
 */
export type Credential =
  | { readonly kind: "access_token"; readonly value: string }
  | { readonly kind: "api_key"; readonly value: string };

/** See newCredential in packages/directory. */
const API_KEY = /^pck_[A-Za-z0-9_-]{43}$/;
const BEARER = /^Bearer +([^\s]+)$/i;
const OURS = /^(?:Bearer(?: |$)|pck_)/i;

/** Returns the credential; null if the `Authorization` header is missing, repeated or malformed. */
export function readCredential(rawHeaders: readonly string[]): Credential | null {
  const [header, ...others] = headerValues(rawHeaders, "authorization");
  if (header === undefined || others.length > 0) return null;
  const token = BEARER.exec(header)?.[1];
  if (token !== undefined) return { kind: "access_token", value: token };
  return API_KEY.test(header) ? { kind: "api_key", value: header } : null;
}

/**
 * True if a header has the form of our credentials: RFC 6750 §3.1 wants no error for other
 * authentication schemes.
 */
export function presentsCredential(rawHeaders: readonly string[]): boolean {
  return headerValues(rawHeaders, "authorization").some((value) => OURS.test(value));
}
