import { hash, randomBytes } from "node:crypto";

/** A secret of 256 random bits after a prefix that tells people, and secret scanners, what it is. `[A-Za-z0-9_-]`. */
export function newCredential(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString("base64url")}`;
}

/** What is stored and looked up in place of the credential: its SHA-256. Enough, as it is random and not chosen. */
export function hashCredential(credential: string): Buffer {
  return hash("sha256", credential, "buffer");
}
