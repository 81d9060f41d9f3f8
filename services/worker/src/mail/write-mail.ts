import type { Sql } from "@partner-connect/database";
import { hashCredential, mailedToken, RESET_PASSWORD_PATH } from "@partner-connect/directory";
import { type ComposedMail, composeMail, type MailFacts, type MailJob, type MailLinks } from "@partner-connect/mail";

const FORGOT_PASSWORD_PATH = "/oauth/password/forgot";

export interface LinkBases {
  /** PUBLIC_BASE_URL. */
  readonly base: string;
  readonly product: string;
  /** PRODUCT_COLOR. */
  readonly color: string | null;
  /** OIDC_ONLY is not set. */
  readonly hasPasswords: boolean;
  /** Links' tokens are derived from it. */
  readonly mailKey: string;
}

type Written = ComposedMail & { readonly to: string };

/** The mail; null if there is no recipient any more, or its link has expired. */
export async function writeMail(sql: Sql, mail: MailJob, createdAt: Date, bases: LinkBases): Promise<Written | null> {
  const { kind } = mail;
  // With OIDC_ONLY there is no password to set.
  if (kind === "none" || (kind === "new_account" && !bases.hasPasswords)) return null;
  const recipient = await findRecipient(sql, mail);
  if (!recipient) return null;
  const token = mail.link === null ? null : await workingToken(sql, mail.link, bases.mailKey);
  if (mail.link !== null && token === null) return null;
  const links = linksOf(mail, token, bases);
  const composed = composeMail(kind, factsOf(mail, createdAt, recipient, bases), links, recipient.language);
  return { ...composed, to: recipient.email };
}

/** The token of the link, if it works: not ended, not used, and of this key. Index: merchant_links_pkey. */
async function workingToken(sql: Sql, link: string, mailKey: string): Promise<string | null> {
  const token = mailedToken(mailKey, link);
  const found = await sql`
    SELECT FROM directory.merchant_links
    WHERE token_hash = ${hashCredential(token)} AND used_at IS NULL AND expires_at > now()`;
  return found.length > 0 ? token : null;
}

/** The recipient, and the names that the mail mentions, as they are when it is sent. */
interface Recipient {
  readonly email: string;
  readonly name: string | null;
  readonly language: string | null;
  readonly app: string | null;
  readonly shop: string | null;
  /** The merchant who did it. */
  readonly by: string | null;
  /** The person who was added to the shop or app, or removed. */
  readonly person: string | null;
}

/** Null: the account was erased or disabled. Index: merchants_pkey. */
async function findRecipient(sql: Sql, mail: MailJob): Promise<Recipient | null> {
  const text = (key: string) => String(mail.about[key] ?? "");
  const [row] = await sql<Recipient[]>`
    SELECT m.email, m.name, m.language, (SELECT name FROM directory.merchants WHERE id = ${text("by")}) AS by,
      (SELECT name FROM directory.clients WHERE client_id = ${text("client_id")}) AS app,
      (SELECT name FROM directory.shops WHERE id = ${mail.shop_id}) AS shop,
      (SELECT name FROM directory.merchants WHERE id = ${text("member_id")}) AS person
    FROM directory.merchants m WHERE m.id = ${mail.merchant_id} AND m.status = 'active'`;
  return row ?? null;
}

function linksOf({ about }: MailJob, token: string | null, { base, hasPasswords }: LinkBases): MailLinks {
  return {
    action: token === null ? null : `${base}${RESET_PASSWORD_PATH}?link=${token}`,
    newPassword: hasPasswords ? base + FORGOT_PASSWORD_PATH : null,
    connectedApps: `${base}/oauth/connections`,
    partner: about["client_id"] === undefined ? null : `${base}/partner/${about["client_id"]}`,
  };
}

function factsOf(mail: MailJob, createdAt: Date, recipient: Recipient, bases: LinkBases): MailFacts {
  const { about, kind, merchant_id: merchantId } = mail;
  const { email, name, app, shop, by, person } = recipient;
  const text = (key: string) => (typeof about[key] === "string" ? (about[key] as string) : null);
  return {
    product: bases.product,
    color: bases.color,
    email,
    name,
    app,
    shop,
    scope: Array.isArray(about["scope"]) ? about["scope"].map(String) : [],
    by: kind === "app_disconnected" ? (about["by"] === "client" ? app : null) : by,
    reason: text("reason"),
    isReplay: about["by"] === "replay",
    byRecipient: about["by"] === merchantId,
    person,
    change: text("change") as MailFacts["change"],
    device: text("device"),
    address: text("address"),
    at: createdAt,
  };
}
