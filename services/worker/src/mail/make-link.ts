import type { Sql } from "@partner-connect/database";
import {
  hashCredential,
  NEW_ACCOUNT_MINUTES,
  newCredential,
  RESET_MINUTES,
  RESET_PASSWORD_PATH,
} from "@partner-connect/directory";

/** How long the link of a mail works. */
const MINUTES = { new_account: NEW_ACCOUNT_MINUTES, reset_password: RESET_MINUTES };

/**
 * Makes a link to set the password whose token is in this mail alone, and returns its path: only the hash is stored. A mail that is sent
 * twice has two links, and both work.
 */
export async function makeLink(sql: Sql, kind: keyof typeof MINUTES, email: string): Promise<string> {
  const token = newCredential("pcl");
  await sql`
    INSERT INTO directory.merchant_links (token_hash, email, expires_at)
    VALUES (${hashCredential(token)}, lower(${email}), now() + make_interval(mins => ${MINUTES[kind]}))`;
  return `${RESET_PASSWORD_PATH}?link=${token}`;
}
