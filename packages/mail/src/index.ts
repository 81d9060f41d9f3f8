export { type ComposedMail, composeMail, type MailLinks } from "./compose-mail.ts";
export { eraseMails, type MailJob, mailMembers, queueMail } from "./mail.ts";
export type { MailFacts } from "./texts/mail-facts.ts";
