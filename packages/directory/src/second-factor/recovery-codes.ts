import { randomBytes } from "node:crypto";
import type { Actor } from "@partner-connect/audit";
import { type Queries, type Sql, transaction } from "@partner-connect/database";
import { hashCredential } from "../credential.ts";
import { lockMerchant } from "../merchants/lock-merchant.ts";
import { tellChange } from "./tell-change.ts";

const CODES = 10;

/** Crockford's base32: no letter looks like a digit. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** Characters: 80 bits, so that the hashes of a dump can't be guessed. */
const LENGTH = 16;

/** Ten new codes in place of those that there were. Inside a transaction that holds the merchant's row. They are never shown again. */
export async function storeRecoveryCodes(tx: Queries, merchantId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode);
  await tx`DELETE FROM directory.recovery_codes WHERE merchant_id = ${merchantId}`;
  for (const code of codes) {
    await tx`INSERT INTO directory.recovery_codes (merchant_id, code_hash) VALUES (${merchantId}, ${hashOf(merchantId, code)})`;
  }
  return codes;
}

/** How many can still be used. Index: recovery_codes_pkey. */
export async function recoveryCodesLeft(sql: Queries, merchantId: string): Promise<number> {
  const rows = await sql`SELECT FROM directory.recovery_codes WHERE merchant_id = ${merchantId} AND used_at IS NULL`;
  return rows.length;
}

/**
 * Uses the code up: true for one call alone, however many come at once. It is typed in any case, with or without its hyphens. The merchant
 * is the actor and gets a mail. Index: recovery_codes_pkey.
 */
export async function useRecoveryCode(
  sql: Sql,
  merchantId: string,
  typed: string,
  from: Omit<Actor, "name">,
): Promise<boolean> {
  const code = canonicalCode(typed);
  if (code === null) return false;
  return await transaction(sql, async (tx) => {
    await lockMerchant(tx, merchantId);
    const { count } = await tx`
      UPDATE directory.recovery_codes SET used_at = now()
      WHERE merchant_id = ${merchantId} AND code_hash = ${hashOf(merchantId, code)} AND used_at IS NULL`;
    if (count === 0) return false;
    await tellChange(tx, merchantId, "code_used", {}, { ...from, name: `merchant:${merchantId}` });
    return true;
  });
}

/** Such as `7k2m-9x4p-d0tq-w8rz`. */
function newCode(): string {
  const characters = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
  return characters.replace(/(.{4})(?!$)/g, "$1-");
}

/** As it was shown, or null if no code looks like this. What people read for another character counts as that one. */
function canonicalCode(typed: string): string | null {
  const characters = typed
    .toLowerCase()
    .replaceAll(/[\s\p{Pd}]/gu, "")
    .replaceAll("o", "0")
    .replaceAll(/[il]/g, "1");
  if (characters.length !== LENGTH) return null;
  return characters.replace(/(.{4})(?!$)/g, "$1-");
}

function hashOf(merchantId: string, code: string): Buffer {
  return hashCredential(`${merchantId} ${code}`);
}
