import { type Actor, recordAudit } from "@partner-connect/audit";
import { type Sql, transaction } from "@partner-connect/database";
import { DirectoryError } from "../directory-error.ts";
import { endResetLinks } from "../passwords/set-password.ts";
import { normalizeEmail } from "./email.ts";
import { lockMerchant, requireMerchant } from "./lock-merchant.ts";
import type { MerchantAccount } from "./merchant.ts";

/**
 * Gives a merchant another address to sign in with. Links to reset the password that went to the former one end; sessions go on.
 * A change to the same address changes nothing. Index: merchants_by_email.
 * @throws {DirectoryError} UNKNOWN_MERCHANT, INVALID_EMAIL, EMAIL_TAKEN
 */
export async function updateEmail(sql: Sql, from: string, to: string, actor: Actor): Promise<MerchantAccount> {
  const email = normalizeEmail(to);
  const { id } = await requireMerchant(sql, from);
  return await transaction(sql, async (tx) => {
    const before = await lockMerchant(tx, id);
    if (before.email === email) return before;
    const other = await tx`SELECT FROM directory.merchants WHERE lower(email) = ${email} AND id <> ${id}`;
    if (other.length > 0) throw taken(email);
    await tx`UPDATE directory.merchants SET email = ${email} WHERE id = ${id}`.catch((error) => {
      throw error.code === "23505" ? taken(email) : error; // a concurrent call changed it
    });
    await endResetLinks(tx, before.email);
    const detail = { email: { from: before.email, to: email } };
    await recordAudit(tx, { action: "merchant_update", merchantId: id, detail }, actor);
    return { ...before, email };
  });
}

function taken(email: string): DirectoryError {
  return new DirectoryError("EMAIL_TAKEN", `a merchant with the email ${email} exists already`);
}
