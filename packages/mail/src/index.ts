export { type ComposedMail, composeMail, type MailFacts, type MailLinks } from "./compose-mail.ts";
export { eraseMails, type MailJob, mailMembers, queueMail } from "./mail.ts";
