/** The cost of argon2id, as OWASP recommends first: 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash library, loaded when first used: most commands and requests check no password. */
const argon2 = () => import("@node-rs/argon2");

/**
 * Normalizes a password, so that it is the same from every keyboard (SP 800-63B-4, 3.1.1.2),
 * whatever the encoding of accents, the width of letters or the use of ligatures.
 */
export function normalizedPassword(password: string): string {
  return password.normalize("NFKC");
}

/** Hashes the password to a PHC string for storage. */
export async function hashPassword(password: string): Promise<string> {
  return await (await argon2()).hash(normalizedPassword(password), COST);
}

let noAccount: Promise<string> | undefined;

/**
 * A hash that matches no password. Where there is no stored hash, a password is checked against it,
 * so that the check takes as long as with one.
 */
function unmatchableHash(): Promise<string> {
  noAccount ??= hashPassword(crypto.randomUUID());
  return noAccount;
}

/** True if `stored` is a hash of `password`. If it is null, false after the same time. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const { verify } = await argon2();
  return await verify(stored ?? (await unmatchableHash()), normalizedPassword(password));
}
