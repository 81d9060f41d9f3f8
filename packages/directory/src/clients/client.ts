import type { Scope } from "@partner-connect/contract";
import { hashCredential, newCredential } from "../credential.ts";

export const GRANT_TYPES = ["authorization_code", "refresh_token"] as const;
export type GrantType = (typeof GRANT_TYPES)[number];

/** Software that a partner registered. */
export interface Client {
  readonly clientId: string;
  /** Shown to merchants on the consent page. */
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** The scopes that it may request. */
  readonly scope: readonly Scope[];
  /** The scopes that a merchant may deselect. */
  readonly optionalScope: readonly Scope[];
  readonly grantTypes: readonly GrantType[];
  readonly status: "active" | "disabled";
  /** The company behind it, as merchants read it. Null, as below: the operator gave none. */
  readonly publisher: string | null;
  /** https, as merchants may follow it. */
  readonly website: string | null;
  /** https, as merchants may follow it. */
  readonly privacyPolicy: string | null;
  /** The email address that merchants ask to delete what it has read. */
  readonly contact: string | null;
  /** When an operator verified the publisher; null: not verified. */
  readonly verifiedAt: Date | null;
  /** Where the authorization server serves its logo: a path on the host of the merchant pages. */
  readonly logoPath: string | null;
  readonly secrets: readonly ClientSecret[];
}

/** What is stored of a client's secret. The secret itself is shown once: to the operator who creates or rotates it. */
export interface ClientSecret {
  /** SHA-256 of the secret. */
  readonly hash: Buffer;
  /** Null: until it is rotated. */
  readonly expiresAt: Date | null;
  /** The beginning of the hour in which it was last used. Null: not since that is kept. */
  readonly lastUsedAt: Date | null;
}

/** A new secret, to be shown, and its hash, to be stored. */
export function newClientSecret(): { readonly secret: string; readonly hash: Buffer } {
  const secret = newCredential("pcs");
  return { secret, hash: hashCredential(secret) };
}
