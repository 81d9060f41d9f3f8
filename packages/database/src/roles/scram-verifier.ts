import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";

/** Postgres's default (`scram_iterations`). */
const ITERATIONS = 4096;

/** The stored form of a password, so that it is not sent or logged: `SCRAM-SHA-256$iterations:salt$StoredKey:ServerKey` (RFC 5803). */
export function scramVerifier(password: string, salt: Uint8Array = randomBytes(16), iterations = ITERATIONS): string {
  const salted = pbkdf2Sync(saslPrep(password), salt, iterations, 32, "sha256");
  const keyOf = (name: string) => createHmac("sha256", salted).update(name).digest();
  const storedKey = createHash("sha256").update(keyOf("Client Key")).digest("base64");
  const saltText = Buffer.from(salt).toString("base64");
  return `SCRAM-SHA-256$${iterations}:${saltText}$${storedKey}:${keyOf("Server Key").toString("base64")}`;
}

/** RFC 3454: table C.1.2 maps to a blank, B.1 to nothing. */
const BLANKS = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/g;
// biome-ignore lint/suspicious/noMisleadingCharacterClass: each character is meant separately
const NOTHING = /[\u00ad\u034f\u1806\u180b-\u180d\u200c\u200d\u2060\ufe00-\ufe0f\ufeff]/g;

/** Prohibited by RFC 4013. */
const PROHIBITED =
  /[\p{Cc}\p{Cn}\p{Co}\p{Cs}\u06dd\u070f\u180e\u200e\u200f\u2028-\u202e\u2061-\u2063\u206a-\u206f\u2ff0-\u2ffb\ufff9-\ufffd]/u;

/** RFC 4013. Like Postgres and libpq, uses a prohibited password unchanged. */
function saslPrep(password: string): string {
  if (/^[\x20-\x7e]*$/.test(password)) return password;
  const prepared = password.replaceAll(BLANKS, " ").replaceAll(NOTHING, "").normalize("NFKC");
  return prepared === "" || PROHIBITED.test(prepared) ? password : prepared;
}
