import type { Sql } from "@partner-connect/database";
import {
  hashCredential,
  NEW_ACCOUNT_MINUTES,
  newCredential,
  RESET_MINUTES,
  RESET_PASSWORD_PATH,
} from "@partner-connect/directory";
import type { ClaimedMail } from "@partner-connect/mail";
import { invitationOf } from "./recipient.query.ts";

const INVITATION_PATH = "/oauth/invitation";
const WEEK = 7 * 24 * 60;

/** What a link that a mail asks to follow is for, how long it works (minutes), and where it leads. An invitation ends when it would anyway. */
const LINKS = {
  new_account: { purpose: "reset_password", prefix: "pcl", path: RESET_PASSWORD_PATH, minutes: NEW_ACCOUNT_MINUTES },
  reset_password: { purpose: "reset_password", prefix: "pcl", path: RESET_PASSWORD_PATH, minutes: RESET_MINUTES },
  invitation: { purpose: "invitation", prefix: "pci", path: INVITATION_PATH, minutes: WEEK },
} as const;

/**
 * Makes a link whose token is in this mail alone, and returns its path: only the hash is stored. A mail that is sent twice has two links,
 * and both work. Null: the invitation has ended meanwhile. Index: merchant_links_pkey.
 */
export async function makeLink(
  sql: Sql,
  kind: keyof typeof LINKS,
  mail: ClaimedMail,
  email: string,
): Promise<string | null> {
  const { purpose, prefix, path, minutes } = LINKS[kind];
  const token = newCredential(prefix);
  const { count } =
    purpose === "invitation"
      ? await sql`
          INSERT INTO directory.merchant_links (token_hash, purpose, email, shop_id, role, created_by, expires_at, mailed, about)
          SELECT ${hashCredential(token)}::bytea, purpose, email, shop_id, role, created_by, expires_at, true, ${JSON.stringify(mail.about)}::text::jsonb
          FROM directory.merchant_links
          WHERE token_hash = ${invitationOf(mail)} AND purpose = 'invitation' AND used_at IS NULL AND expires_at > now()`
      : await sql`
          INSERT INTO directory.merchant_links (token_hash, purpose, email, created_by, expires_at, mailed)
          VALUES (${hashCredential(token)}, ${purpose}, lower(${email}), 'system', now() + make_interval(mins => ${minutes}), true)`;
  return count === 1 ? `${path}?link=${token}` : null;
}
