import type { Sql } from "@partner-connect/database";
import type { ClaimedMail } from "./due-mails.ts";

const PATIENCE_MS = 3 * 24 * 3600 * 1000;

/** What kept a mail from being sent. */
export interface MailFailure {
  /** One line, without a secret. */
  readonly reason: string;
  /** The server refuses this recipient or this mail for good: another attempt would be refused too. */
  readonly isFinal: boolean;
}

/** The mail was sent, or is of no use. Index: mails_pkey. */
export async function deleteMail(sql: Sql, { shopId, id }: ClaimedMail): Promise<void> {
  await sql`DELETE FROM oauth.mails WHERE shop_id = ${shopId} AND id = ${id}`;
}

/** Says when the next attempt may be, or gives the mail up. True: it is given up, and stays for operators. Index: mails_pkey. */
export async function recordFailure(sql: Sql, mail: ClaimedMail, { reason, isFinal }: MailFailure): Promise<boolean> {
  const { shopId, id, attempts, createdAt } = mail;
  const isGivenUp = isFinal || Date.now() - createdAt.getTime() >= PATIENCE_MS;
  await sql`
    UPDATE oauth.mails
    SET claimed_until = NULL, failure = ${reason}, failed_at = ${isGivenUp ? sql`now()` : null},
      next_attempt_at = now() + make_interval(secs => ${pause(attempts)}::float8)
    WHERE shop_id = ${shopId} AND id = ${id}`;
  return isGivenUp;
}

/** Attempts come after 5 s, 20 s, 80 s … to a quarter of an hour, a tenth more or less. */
function pause(attempts: number): number {
  return Math.min(900, 5 * 4 ** (attempts - 1)) * (0.9 + 0.2 * Math.random());
}
