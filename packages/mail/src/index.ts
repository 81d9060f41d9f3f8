export { type ComposedMail, composeMail, type MailNames, type MailSite } from "./compose-mail.ts";
export { eraseMails, type MailJob, mailMembers, queueMail, type Source } from "./mail.ts";
