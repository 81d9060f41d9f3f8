import { hash, randomBytes } from "node:crypto";

/**
 * A new credential: 256 random bits after a prefix by which people and secret scanners recognize
 * it. Characters: `[A-Za-z0-9_-]`.
 */
export function newCredential(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString("base64url")}`;
}

/**
 * SHA-256, which is stored and looked up instead of the credential. A credential is random, so a
 * fast hash is enough.
 */
export function hashCredential(credential: string): Buffer {
  return hash("sha256", credential, "buffer");
}
