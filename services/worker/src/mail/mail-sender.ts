import { dueMails } from "@partner-connect/mail";
import { traceTask } from "@partner-connect/service-runtime/tracing";
import { type Sender, startSender } from "../sending/start-sender.ts";
import { type MailSender, sendMail } from "./send-mail.ts";

/** A notice has ten seconds to reach its reader. */
const POLL_MS = 1000;

const PLACES = { working: 16, failing: 4 } as const;

/** Sends mails as they are due. A mail's row has a lease. */
export function startMailSender(sender: MailSender): Sender {
  return startSender({
    what: "mails",
    pollMs: POLL_MS,
    places: PLACES,
    logger: sender.logger,
    due: (isFailing, limit) => dueMails(sender.sql, isFailing, limit),
    send: (due) => traceTask("mail", { "partner_connect.mail_id": due.id }, () => sendMail(sender, due)),
  });
}
