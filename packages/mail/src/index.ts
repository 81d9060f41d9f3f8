export { type ComposedMail, composeMail, type MailLinks } from "./compose/compose-mail.ts";
export { type ClaimedMail, claimMail, type DueMail, dueMails } from "./outbox/due-mails.ts";
export {
  countMails,
  listMails,
  type MailCounts,
  retryMails,
  type WaitingMail,
} from "./outbox/list-mails.ts";
export { eraseMails, mailMembers, type QueuedMail, queueMail } from "./outbox/queue-mail.ts";
export { deleteMail, type MailFailure, recordFailure } from "./outbox/record-attempt.ts";
export type { MailFacts } from "./texts/mail-facts.ts";
