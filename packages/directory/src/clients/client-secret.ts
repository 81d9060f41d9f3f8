import { hashCredential, newCredential } from "../credential.ts";

/** What is stored of a client's secret. The secret itself is shown once: to the operator who creates or rotates it. */
export interface ClientSecret {
  /** SHA-256 of the secret. */
  readonly hash: Buffer;
  /** Null: until it is rotated. */
  readonly expiresAt: Date | null;
}

/** A new secret, to be shown, and its hash, to be stored. */
export function newClientSecret(): { readonly secret: string; readonly hash: Buffer } {
  const secret = newCredential("pcs");
  return { secret, hash: hashCredential(secret) };
}
