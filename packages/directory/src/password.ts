/** OWASP's first choice for argon2id: 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

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
