import { hash, verify } from "@node-rs/argon2";

/** OWASP's first choice for argon2id: 19 MiB, 2 passes, 1 lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The PHC string to store. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

/** A hash that no password has, made once: checking against it takes an unknown account as long as a known one. */
let nobody: Promise<string> | undefined;

/** Whether `password` is the one behind `stored`; `null` (no such account) takes the same time and is false. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  if (stored !== null) return verify(stored, password);
  nobody ??= hashPassword(crypto.randomUUID());
  await verify(await nobody, password);
  return false;
}
