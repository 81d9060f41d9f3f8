import { DirectoryError } from "./directory-error.ts";

/** OWASP's first choice for argon2id: 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const MIN_LENGTH = 8;
const MAX_LENGTH = 256;

/** Loaded when first used: most commands and requests check no password. */
const argon2 = () => import("@node-rs/argon2");

/** The PHC string to store. */
export async function hashPassword(password: string): Promise<string> {
  return await (await argon2()).hash(password, COST);
}

/** A hash that no password has, made once. An unknown account is checked against it, and so takes as long as a known one. */
let noAccount: Promise<string> | undefined;

/** Whether `stored` is a hash of `password`. False for null (no such account), after the same time. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const { verify } = await argon2();
  if (stored !== null) return await verify(stored, password);
  noAccount ??= hashPassword(crypto.randomUUID());
  await verify(await noAccount, password);
  return false;
}

/**
 * Refuses a password for its length, or because it is the account's own address, and for nothing else (ASVS 5.0, 6.2.1 and
 * 6.2.5: no rules of composition). The length is counted in Unicode characters.
 */
export function checkPassword(password: string, email: string): void {
  const length = [...password].length;
  if (length < MIN_LENGTH || length > MAX_LENGTH) {
    throw new DirectoryError("INVALID_PASSWORD", `the password must have ${MIN_LENGTH} to ${MAX_LENGTH} characters`);
  }
  if (password.trim().toLowerCase() === email) {
    throw new DirectoryError("INVALID_PASSWORD", "the password must not be the email address");
  }
}
