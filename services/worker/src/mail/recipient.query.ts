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

/** Null: the account was erased or disabled. Index: merchants_pkey. */
export async function findRecipient(sql: Sql, mail: ClaimedMail): Promise<Recipient | null> {
  const text = (key: string) => String(mail.about[key] ?? "");
  const names = sql`
    (SELECT name FROM directory.clients WHERE client_id = ${text("client_id")}) AS app,
    (SELECT name FROM directory.shops WHERE id = ${mail.shopId}) AS shop,
    (SELECT name FROM directory.merchants WHERE id = ${text("member_id")}) AS person`;
  const [row] = await sql<Recipient[]>`
    SELECT m.email, m.name, m.language, (SELECT name FROM directory.merchants WHERE id = ${text("by")}) AS by, ${names}
    FROM directory.merchants m WHERE m.id = ${mail.merchantId} AND m.status = 'active'`;
  return row ?? null;
}
