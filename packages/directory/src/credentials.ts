import { hash, randomBytes } from "node:crypto";

/**
 * 256 random bits after a prefix by which people and secret scanners recognize them. Characters:
 * `[A-Za-z0-9_-]`.
 */
export function newCredential(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString("base64url")}`;
}

/**
 * SHA-256, which is stored and looked up in place of the credential. That is enough, because a
 * credential is random.
 */
export function hashCredential(credential: string): Buffer {
  return hash("sha256", credential, "buffer");
}
