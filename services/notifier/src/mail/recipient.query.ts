import type { Sql } from "@partner-connect/database";
import type { ClaimedMail } from "@partner-connect/mail";

/** Who gets a mail, and the names of what it tells of, as they are when it is sent. */
export interface Recipient {
  readonly email: string;
  readonly name: string | null;
  readonly language: string | null;
  readonly app: string | null;
  readonly shop: string | null;
  /** The merchant who did it. */
  readonly by: string | null;
  /** Who was added to the shop or the app, or removed. */
  readonly person: string | null;
}

/**
 * Null: nobody gets it. The account was erased or disabled, or the invitation is over. Indexes: merchants_pkey, merchant_links_pkey,
 * merchants_by_email.
 */
export async function findRecipient(sql: Sql, mail: ClaimedMail): Promise<Recipient | null> {
  const text = (key: string) => String(mail.about[key] ?? "");
  const names = sql`
    (SELECT name FROM directory.clients WHERE client_id = ${text("client_id")}) AS app,
    (SELECT name FROM directory.shops WHERE id = ${mail.shopId}) AS shop,
    (SELECT name FROM directory.merchants WHERE id = ${text("member_id")}) AS person`;
  const [row] =
    mail.kind === "invitation"
      ? await sql<Recipient[]>`
          SELECT l.email, NULL AS name, coalesce(own.language, inviter.language) AS language, inviter.name AS by, ${names}
          FROM directory.merchant_links l
            LEFT JOIN directory.merchants inviter ON l.created_by = 'merchant:' || inviter.id AND inviter.status = 'active'
            LEFT JOIN directory.merchants own ON lower(own.email) = l.email
          WHERE l.token_hash = ${invitationOf(mail)} AND l.purpose = 'invitation'
            AND l.used_at IS NULL AND l.expires_at > now() AND inviter.id IS NOT NULL`
      : await sql<Recipient[]>`
          SELECT m.email, m.name, m.language, (SELECT name FROM directory.merchants WHERE id = ${text("by")}) AS by, ${names}
          FROM directory.merchants m WHERE m.id = ${mail.merchantId} AND m.status = 'active'`;
  return row ?? null;
}

/** The hash of the link that the invitation began with: it names the invitation, and opens nothing. */
export function invitationOf({ about }: ClaimedMail): Buffer {
  return Buffer.from(String(about["invitation"]), "hex");
}
