import { told } from "../../ask-replicas.ts";
import { type Finding, fine, type System, unless } from "../../system.ts";

/** A mail is sent within seconds; a server may ask us to come back later. */
const SENT_WITHIN_SECONDS = 600;

/** The pages offer mail where the notifiers send it, and nowhere else; and no mail waits long. */
export async function mail({ sql, answers }: System): Promise<Finding> {
  const { countMails } = await import("@partner-connect/mail");
  const reports = told(await answers("/mail")).map(({ name, text }) => ({ name, ...(JSON.parse(text) as MailReport) }));
  const isOn = reports.some(({ offers, sends }) => offers || sends);
  const { waiting, oldestSeconds, failed } = await countMails(await sql());
  if (!isOn && failed === 0) return fine("mail is off: operators pass links on");
  const problems = [
    ...reports.flatMap(({ name, offers, sends }) => {
      if (offers === false) return [`${name} offers no mail, as MAIL_FROM is not set`];
      return sends === false ? [`${name} deletes mails unsent, as SMTP_URL is not set`] : [];
    }),
    ...(oldestSeconds > SENT_WITHIN_SECONDS
      ? [`waiting: ${waiting}, the oldest for ${Math.round(oldestSeconds)} s`]
      : []),
    ...(failed > 0 ? [`given up: ${failed}`] : []),
  ];
  const remedy =
    "set MAIL_FROM for the authorization servers, and SMTP_URL and MAIL_FROM for the notifiers; 'partner-connect mail list' says why a mail was not sent, 'mail test' tries it";
  return unless(problems, `mails are sent; waiting: ${waiting}`, remedy);
}

/** An authorization server says whether it offers mail, a notifier whether it sends it. */
interface MailReport {
  readonly offers?: boolean;
  readonly sends?: boolean;
}
