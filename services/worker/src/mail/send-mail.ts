import { isDatabaseFault, type Sql } from "@partner-connect/database";
import { type ClaimedMail, claimMail, type DueMail, deleteMail, recordFailure } from "@partner-connect/mail";
import type { Logger } from "@partner-connect/service-runtime";
import type { SendMail } from "./smtp.ts";
import { type LinkBases, writeMail } from "./write-mail.ts";

export type MailOutcome = "sent" | "failed" | "given_up" | "dropped";

export interface MailSender {
  readonly sql: Sql;
  /** Null: no server is set, and mails are deleted unsent. */
  readonly smtp: { readonly send: SendMail; readonly bases: LinkBases } | null;
  readonly logger: Logger;
  readonly count: (outcome: MailOutcome) => void;
}

/** Sends one mail, and writes down what came of it. Killed in between, the claim ends by its time, and the mail is sent again. */
export async function sendMail({ sql, smtp, logger, count }: MailSender, due: DueMail): Promise<void> {
  try {
    const claimed = await claimMail(sql, due);
    if (!claimed) return;
    const outcome = smtp === null ? await drop(sql, claimed) : await attempt(sql, claimed, smtp);
    count(outcome.is);
    const fields = { mail_id: due.id, kind: claimed.kind, attempts: claimed.attempts };
    if (outcome.is === "given_up") logger.warn({ ...fields, reason: outcome.reason }, "a mail is given up");
    if (outcome.is === "failed") logger.info({ ...fields, reason: outcome.reason }, "a mail was not sent");
  } catch (error) {
    // The claim ends by its time.
    logger[isDatabaseFault(error) ? "warn" : "error"]({ err: error, mail_id: due.id }, "a mail was not sent");
  }
}

interface Outcome {
  readonly is: MailOutcome;
  readonly reason?: string;
}

async function attempt(sql: Sql, claimed: ClaimedMail, smtp: NonNullable<MailSender["smtp"]>): Promise<Outcome> {
  const mail = await writeMail(sql, claimed, smtp.bases);
  if (!mail) return await drop(sql, claimed);
  const failure = await smtp.send({ ...mail, messageId: claimed.id });
  if (failure === null) {
    await deleteMail(sql, claimed);
    return { is: "sent" };
  }
  const isGivenUp = await recordFailure(sql, claimed, failure);
  return { is: isGivenUp ? "given_up" : "failed", reason: failure.reason };
}

async function drop(sql: Sql, claimed: ClaimedMail): Promise<Outcome> {
  await deleteMail(sql, claimed);
  return { is: "dropped" };
}
