import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const SALT_BYTES = 16;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;

/**
 * Encrypts and authenticates `text`: AES-256-GCM with a new key for each call. The secret must be
 * random. A text sealed for one purpose can't be opened for another. The result is base64url: a
 * third longer than the text, plus 43 characters.
 */
export function seal(text: string, secret: string, purpose: string): string {
  const salt = randomBytes(SALT_BYTES);
  const { key, nonce } = deriveKeyAndNonce(secret, salt, purpose);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  return Buffer.concat([
    salt,
    cipher.update(text, "utf8"),
    cipher.final(),
    cipher.getAuthTag(),
  ]).toString("base64url");
}

/** The text, or null if it was not sealed with this secret for this purpose. */
export function unseal(sealed: string, secret: string, purpose: string): string | null {
  const bytes = Buffer.from(sealed, "base64url");
  // Decoding ignores other characters, such as a line break, which could then get into our URLs.
  if (bytes.toString("base64url") !== sealed) return null;
  if (bytes.length < SALT_BYTES + TAG_BYTES) return null;
  const { key, nonce } = deriveKeyAndNonce(secret, bytes.subarray(0, SALT_BYTES), purpose);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const text = decipher.update(bytes.subarray(SALT_BYTES, -TAG_BYTES), undefined, "utf8");
  try {
    return text + decipher.final("utf8");
  } catch {
    return null;
  }
}

/** Maximum difference between the clocks of two replicas. */
const CLOCK_SKEW_SECONDS = 60;

/** Seals a text with the present time, so that `unsealDated` can refuse it when it is too old. */
export function sealDated(text: string, secret: string, purpose: string, now = Date.now()): string {
  return seal(`${Math.floor(now / 1000)}\n${text}`, secret, purpose);
}

/** The text, or null if it was changed, is older than `lifeSeconds`, or is dated in the future. */
export function unsealDated(
  sealed: string,
  secret: string,
  purpose: string,
  lifeSeconds: number,
  now = Date.now(),
): string | null {
  const [, date, text = null] = /^(\d+)\n(.*)/s.exec(unseal(sealed, secret, purpose) ?? "") ?? [];
  const age = Math.floor(now / 1000) - Number(date);
  return age >= -CLOCK_SKEW_SECONDS && age < lifeSeconds ? text : null;
}

function deriveKeyAndNonce(secret: string, salt: Buffer, purpose: string) {
  const bytes = Buffer.from(hkdfSync("sha256", secret, salt, purpose, KEY_BYTES + NONCE_BYTES));
  return { key: bytes.subarray(0, KEY_BYTES), nonce: bytes.subarray(KEY_BYTES) };
}
