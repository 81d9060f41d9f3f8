import type { Sql } from "@partner-connect/database";
import { hashCredential, mailedToken, RESET_PASSWORD_PATH } from "@partner-connect/directory";
import { composeMail, type MailJob, type MailNames, type MailSite } from "@partner-connect/mail";
import type { Logger } from "@partner-connect/service-runtime";
import type { Kind } from "../jobs.ts";
import type { SendMail } from "./smtp.ts";

export interface MailServer {
  readonly send: SendMail;
  readonly bases: MailSite & {
    /** The key from which the tokens of links are derived. */
    readonly mailKey: string;
  };
}

/** Mails sent at a time. A silent server occupies a lane for up to two minutes per mail. */
const LANES = 4;

/** Sends mails. If no mail `server` is set, they are dropped. */
export function mailKind(sql: Sql, server: MailServer | null, logger: Logger): Kind<MailJob> {
  return {
    ...{ kind: "mail", lanes: LANES, batch: 1 },
    async run({ id, data, createdAt }) {
      const mail = server && (await writeMail(sql, data, createdAt, server.bases));
      if (!mail) return "dropped";
      const messageId = `mail_${id.replaceAll("-", "")}`;
      await server.send({ ...mail, messageId });
      const ids = { merchant_id: data.merchant_id, message_id: messageId };
      logger.info({ kind: "mail", mail: data.kind, ...ids }, "mail sent");
      return "sent";
    },
  };
}

/** Composes the mail; null if the recipient is gone or the mail has become useless. */
async function writeMail(
  sql: Sql,
  job: MailJob,
  queuedAt: Date,
  { mailKey, ...site }: MailServer["bases"],
) {
  const { kind, link } = job;
  // With OIDC_ONLY there is no password to set, so a new account gets no mail.
  if (kind === "none" || (kind === "new_account" && !site.hasPasswords)) return null;
  if (kind === "password_entered" && (await hasUsedPasskey(sql, job, queuedAt))) return null;
  const names = await findNames(sql, job);
  const token = link === null ? null : await workingToken(sql, link, mailKey);
  if (!names || (link !== null && token === null)) return null;
  const resetUrl = `${site.base}${RESET_PASSWORD_PATH}?link=${token}`;
  return { ...composeMail({ kind, job, queuedAt, names, site, resetUrl }), to: names.email };
}

/**
 * The link's token; null if the link was used, has expired or was made with another key. Index:
 * merchant_links_pkey.
 */
async function workingToken(sql: Sql, link: string, mailKey: string): Promise<string | null> {
  const token = mailedToken(mailKey, link);
  const found = await sql`
    SELECT FROM directory.merchant_links
    WHERE token_hash = ${hashCredential(token)} AND used_at IS NULL AND expires_at > now()`;
  return found.length > 0 ? token : null;
}

/** True if the merchant has used a passkey since `since`, in any sign-in. */
async function hasUsedPasskey(sql: Sql, { merchant_id }: MailJob, since: Date): Promise<boolean> {
  const used = await sql`
    SELECT FROM directory.passkeys WHERE merchant_id = ${merchant_id} AND last_used_at >= ${since}`;
  return used.length > 0;
}

/** The names in a mail; undefined if the account was erased or disabled. Index: merchants_pkey. */
async function findNames(sql: Sql, { about, ...job }: MailJob): Promise<MailNames | undefined> {
  const text = (key: string) => String(about[key] ?? "");
  const [found] = await sql<MailNames[]>`
    SELECT coalesce(${text("former") || null}, m.email) AS email, m.name, coalesce(m.language, ${text("language") || null}) AS language, (SELECT name FROM directory.merchants WHERE id = ${text("by")}) AS by,
      coalesce((SELECT name FROM directory.clients WHERE client_id = ${text("client_id")}), ${text("app") || null}) AS app,
      (SELECT name FROM directory.shops WHERE id = ${job.shop_id}) AS shop,
      (SELECT name || ' (' || email || ')' FROM directory.merchants WHERE id = ${text("member_id")}) AS person
    FROM directory.merchants m WHERE m.id = ${job.merchant_id} AND m.status = 'active'`;
  return found;
}
