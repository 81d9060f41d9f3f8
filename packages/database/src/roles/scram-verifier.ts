import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";

/** Postgres's default (`scram_iterations`). */
const ITERATIONS = 4096;

/**
 * The stored form of a password, so that it is not sent or logged:
 * `SCRAM-SHA-256$iterations:salt$StoredKey:ServerKey` (RFC 5803). Like postgres.js, it applies no
 * SASLprep, which changes only passwords beyond ASCII.
 */
export function scramVerifier(
  password: string,
  salt: Uint8Array = randomBytes(16),
  iterations = ITERATIONS,
): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, "sha256");
  const keyOf = (name: string) => createHmac("sha256", salted).update(name).digest();
  const storedKey = createHash("sha256").update(keyOf("Client Key")).digest("base64");
  const saltText = Buffer.from(salt).toString("base64");
  return `SCRAM-SHA-256$${iterations}:${saltText}$${storedKey}:${keyOf("Server Key").toString("base64")}`;
}
