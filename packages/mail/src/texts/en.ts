import type { MailFacts } from "./mail-facts.ts";

/**
 * All that a mail can say, in one file, so that a translator reads the language in one piece. English is the pattern: the other languages
 * have the same texts. Facts are plain text.
 */
export const en = {
  hello: (name: string) => `Hello ${name},`,
  helloUnknown: "Hello,",
  fact: {
    app: "App",
    shop: "Shop",
    scope: "Allowed to",
    by: "By",
    person: "Person",
    device: "Device",
    address: "Network address",
    time: "Time",
  },
  /** In place of a merchant who did something. */
  us: "us",
  connectedApps: "See connected apps",
  partnerPages: "See the partner pages",
  /** The label of a link. */
  newPassword: "Choose a new password",
  /** What to do about it. `app` and `account`: it may have been somebody who knows the recipient's password. */
  ifWrong: {
    app: "If this wasn’t you, disconnect the app there, and choose a new password.",
    account: "If this wasn’t you, choose a new password. You are then signed out everywhere.",
    /** Another merchant did it, or nobody has a password. */
    appOnly: "If this should not be so, disconnect the app there.",
    /** Nobody has a password. */
    accountElsewhere:
      "If this wasn’t you, sign out everywhere on the page of your connected apps, and secure the account that you sign in with.",
  },
  footer: (product: string, host: string) =>
    `${product} sends this mail by itself. All links in it lead to ${host}. We never ask for your password by mail.`,
  new_account: {
    subject: (f: MailFacts) => `Your account with ${f.product}`,
    lead: (f: MailFacts) =>
      `${f.product} has made an account for ${f.email}. With this link you set its password, and can then sign in.`,
    action: "Set the password",
    note: "The link works once and for seven days. After that, ask for another one under “Forgot your password?” on the sign-in page. If you don’t know what this account is for, you need not do anything.",
  },
  reset_password: {
    subject: () => "Set a new password",
    lead: (f: MailFacts) => `With this link you choose a new password for your account ${f.email}.`,
    action: "Set a new password",
    note: "The link works once and for 30 minutes. If you did not ask for it, you need not do anything: your password stays as it is.",
  },
  app_connected: {
    subject: (f: MailFacts) => `${f.app} is connected with ${f.shop}`,
    lead: (f: MailFacts) => `The app ${f.app} now has access to ${f.shop}. You can end that at any time.`,
  },
  app_widened: {
    subject: (f: MailFacts) => `${f.app} may do more with ${f.shop}`,
    lead: (f: MailFacts) => `The app ${f.app} was allowed more with ${f.shop}. This is new:`,
  },
  app_disconnected: {
    subject: (f: MailFacts) => `${f.app} is disconnected from ${f.shop}`,
    lead: (f: MailFacts) =>
      f.isReplay
        ? `For safety we have disconnected the app ${f.app} from ${f.shop}: it sent a code again that was used before, and the code may have leaked. Connect the app again if you use it.`
        : f.by === null
          ? `We have disconnected the app ${f.app} from ${f.shop}. It no longer has access.`
          : `The app ${f.app} has ended its connection with ${f.shop}. It no longer has access.`,
  },
  member_added: {
    subject: (f: MailFacts) => `${f.person} can now connect apps with ${f.shop}`,
    lead: (f: MailFacts) => `${f.person} now belongs to ${f.shop}, and can connect and disconnect apps.`,
  },
  member_removed: {
    subject: (f: MailFacts) => `${f.person} no longer belongs to ${f.shop}`,
    lead: (f: MailFacts) => `${f.person} can no longer open the pages of ${f.shop}. Connected apps stay connected.`,
  },
  password_changed: {
    subject: () => "Your password was changed",
    lead: (f: MailFacts) => `The account ${f.email} has a new password.`,
  },
  second_factor_changed: {
    subject: () => "The security of your account was changed",
    lead: (f: MailFacts) => `This was changed in the account ${f.email}:`,
    change: {
      passkey_added: "A passkey was added.",
      passkey_removed: "A passkey was removed.",
      removed_by_us: "We have removed all passkeys, as somebody who lost one asked us to.",
    },
  },
  new_device: {
    subject: () => "New sign-in to your account",
    lead: (f: MailFacts) => `Somebody signed in to the account ${f.email} from a device that we did not know.`,
  },
  client_secret_made: {
    subject: (f: MailFacts) => `${f.app} has a new secret`,
    lead: (f: MailFacts) =>
      `The app ${f.app} has a new client secret. If nobody of you made it, end it on the partner pages.`,
  },
  client_secret_ended: {
    subject: (f: MailFacts) => `A secret of ${f.app} was ended`,
    lead: (f: MailFacts) =>
      `The former client secret of the app ${f.app} was ended before its time. Calls with it are refused.`,
  },
  client_member_added: {
    subject: (f: MailFacts) => `${f.person} can now open the partner pages of ${f.app}`,
    lead: (f: MailFacts) => `${f.person} can open the partner pages of the app ${f.app}, from now on.`,
  },
  client_member_removed: {
    subject: (f: MailFacts) => `${f.person} can no longer open the partner pages of ${f.app}`,
    lead: (f: MailFacts) =>
      `${f.person} can no longer open the partner pages of the app ${f.app}. Client secrets that this person has seen still work.`,
  },
  test: {
    subject: (f: MailFacts) => `${f.product} can send mails`,
    lead: () => "An operator has sent this mail to try it. You need not do anything.",
  },
};

export type MailTexts = typeof en;
