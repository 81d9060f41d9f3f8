/** OWASP's first choice for argon2id: 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Loaded when first used: most commands and requests check no password. */
const argon2 = () => import("@node-rs/argon2");

/**
 * A form that is the same from every keyboard (SP 800-63B-4, 3.1.1.2): one character or two for an
 * accent, wide letters and ligatures make no difference.
 */
export function normalizedPassword(password: string): string {
  return password.normalize("NFKC");
}

/** The PHC string of the password, to be stored. */
export async function hashPassword(password: string): Promise<string> {
  return await (await argon2()).hash(normalizedPassword(password), COST);
}

let noAccount: Promise<string> | undefined;

/**
 * A hash that matches no password. An unknown account's password is checked against it, so that the
 * check takes as long as for a known one.
 */
function hashOfNobody(): Promise<string> {
  noAccount ??= hashPassword(crypto.randomUUID());
  return noAccount;
}

/**
 * True if `stored` is a hash of `password`. For null (no such account) it is false, after the same
 * time.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const { verify } = await argon2();
  return await verify(stored ?? (await hashOfNobody()), normalizedPassword(password));
}
