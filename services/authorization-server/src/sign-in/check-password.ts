import type { Sql } from "@partner-connect/database";
import { findMerchantByEmail, type MerchantAccount, verifyPassword } from "@partner-connect/directory";

/** Characters of a password that are hashed. The form's field takes no more. */
const MAX_PASSWORD_LENGTH = 1024;

export async function accountOf(sql: Sql, email: string) {
  return await findMerchantByEmail(sql, email);
}

/** The merchant with this email and password, or null. An unknown email takes as long as a wrong password. */
export async function checkPassword(sql: Sql, email: string, password: string): Promise<MerchantAccount | null> {
  const found = await accountOf(sql, email);
  const isRight = await verifyPassword(found?.passwordHash ?? null, password.slice(0, MAX_PASSWORD_LENGTH));
  return found && isRight ? found : null;
}
