import { SCOPE_TITLES } from "@partner-connect/contract";
import { type Html, html } from "@partner-connect/service-runtime/html";

const inMinutes = (minutes: number) => (minutes === 1 ? "in a minute" : `in ${minutes} minutes`);

/**
 * Everything that a merchant can see, in one file, so that a translator reads the language in one
 * piece. English is the pattern: the other languages have the same texts, with the same parameters.
 * Names and dates are passed in as safe markup.
 */
export const en = {
  language: "en",
  /** The language's name in the language itself. */
  languageName: "English",
  skipToContent: "Skip to content",
  /** Link text; it must also read as a full sentence. */
  contact: "Contact us",
  tryAgain: "Try again",
  plan: { standard: "Standard plan", advanced_attribution: "Advanced attribution plan" },
  scope: {
    "responses:read": {
      title: SCOPE_TITLES.en["responses:read"],
      does: "All responses, past and future. It can’t change or delete them.",
      personalData: "Includes your customers’ email addresses, orders and visits.",
    },
    "sources:write": {
      title: SCOPE_TITLES.en["sources:write"],
      does: "Sources that customers can name in your survey, such as podcasts.",
      personalData: null,
    },
  },
  /** The frame around the content of each page. */
  frame: {
    language: "Language",
    help: "Help",
    privacy: "Privacy",
    terms: "Terms",
    account: "Account",
    partner: "Partner pages",
    docs: "Docs",
    error: "Error:",
    cookies: (host: Html) => html`Allow cookies for ${host}, then try again.`,
    outOfDate: "This page was out of date. Nothing was changed. Check it and try again.",
  },
  help: {
    heading: "What you should know about connected apps",
    /** By their id on the page, such as /help#plan. The first line is the question. */
    answers: {
      app: "What is a connected app, and what does it read?\nSoftware from another company that you or another member of your shop allowed to use the shop’s survey data.\nIt reads what you approved: as a rule, the shop’s name, domain, plan, questions and all survey responses, past and future, with your customers’ email addresses, orders, visits and own words (names only if they wrote them).\nIt can’t change or delete responses, and never sees your password. With a second permission it can add sources, such as podcasts. To see its permissions, choose the shop in Connected apps.",
      paused:
        "What does Paused mean?\nWe stopped the app’s access to this shop. Nothing is deleted. To learn why, contact us.\nYou can disconnect the app, but nobody can approve it again before the pause ends. After a long pause you may have to connect it again.",
      "connect-again":
        "An app is Expired or Not finished, or asks me to connect it again. Why?\nIt wasn’t used for a long time (usually 30 days), didn’t finish connecting, needs more permissions or lost its access, or was disconnected by your shop, by its company or by us. Start in the app and approve it again. If it is Paused, contact us first.",
      plan: "Why can’t I choose my shop, or why does an app say it has no access?\nIf the shop isn’t listed, this account isn’t a member of it: use another account, or contact us. If it is listed, the page says why: the app is Paused, or the shop’s plan lacks a permission.\nAfter a change to the smaller plan, an app can still read, but can’t add sources. To restore this, ask us to change the plan back, without connecting the app again.\nAfter a change to the larger plan, connect the app again if you approved it on the smaller one.",
      who: "Who connected this app?\nEvery member of the shop can connect apps. The app’s page (in Connected apps, choose the shop) shows who last approved it, and when.\nIf you don’t know the app, note what the page says, disconnect the app and tell us. If the page names you but it wasn’t you, do what the next answer says too.",
      mail: "I got an email about a sign-in, my password or a passkey. What should I do?\nIgnore a link to set a password that you didn’t ask for. Do nothing if it was you: for example with another browser, in a private window, or after deleting cookies.\nIf it wasn’t you, choose a new password at once: it signs everybody out. If you sign in with another company’s account, choose Sign out everywhere and secure that account.\nThen remove passkeys that you didn’t add (Passkeys, below your name; if you can’t, contact us), and disconnect unknown apps.",
      remove:
        "How do I remove an app, or undo an approval for the wrong shop?\nOpen Connected apps and choose Disconnect or Remove. The app loses access immediately, and keeps what it has already read.\nTo have that deleted, write to the address that the page then shows (or our email, if you didn’t end it yourself); note it, because it disappears (if there is none, or nobody answers, contact us). Sources that the app added stay. For the right shop, start again in the app.",
      data: "Who saw my customers’ data, and how can I delete it?\nEach app that you or a colleague ever allowed to read responses could read all of them, including older ones. So could anyone with an API key of your shop.\nContact us to learn which app or key read how much, and when (usually for the last 13 months). We don’t record which customers it was about.\nIf a customer asks you to delete responses, delete them in your survey tool: connected apps learn of it. Also ask those that are Expired, Paused or disconnected (we know their addresses).",
      "lost-passkey":
        "I lost my passkey, or my phone or computer was stolen. What can I do?\nIf it was stolen, contact us at once: we lock your account. Anyone who can read your email can set a new password here, so secure your mailbox (or the other company’s account that you sign in with). Then choose a new password, or Sign out everywhere, unless we have already locked your account.\nIf you only lost the passkey, keep your password and don’t sign out everywhere: after either, every browser asks for the passkey. Use another one, then remove the lost one: Passkeys, in the menu under your name.\nWithout another one, sign in with your password in a browser where you’ve used the passkey. If an approval then asks for it, cancel, choose Use another account in the menu, and sign in again.\nIf it was your only one, contact us. We’ll check who you are.",
      "sign-in":
        "I can’t sign in. What can I do?\nIf you sign in with another company’s account, do what the page says; for its password, ask that company. If your account is locked, contact us. Otherwise choose Forgot your password? If no email arrives, check your spam folder and the address, then contact us. After too many attempts, wait as long as the page says.",
      left: "An employee left, or I don’t know a member. What should I do?\nContact us: we tell you who the members are, and remove one. Apps that they approved stay: disconnect those that you don’t need. Ask us to replace API keys that they know.",
      sold: "I sold my shop, or want to delete it or my account. What should I do?\nContact us. Before a sale, disconnect the apps that the buyer doesn’t take over: they would keep reading, and afterwards only the buyer can disconnect them. Then we give the buyer access, and end yours and all API keys.\nBefore a deletion, disconnect the apps, and ask each to delete its copy (the page then shows the address).\nIf you delete only your account, a shop with other members stays, with its apps. Some records stay, without your name. Backups keep everything for a time.",
    },
    send: "When you contact us, name your email, shop and app, and the Request ID if a page shows one. Never send your password or a link.",
  },
  signIn: {
    title: "Sign in",
    heading: (app: Html) => html`Sign in to connect ${app}`,
    lead: "Sign in to manage connected apps",
    email: "Email",
    password: "Password",
    show: "Show password",
    wrong: "Incorrect email or password.",
    paused: "Your account is locked.",
    tooManyAttempts: (minutes: number) => `Too many attempts. Try again ${inMinutes(minutes)}.`,
    sessionEnded: "Your session has ended. Please sign in again.",
    signedOut: "You’re signed out.",
    passwordChanged: "Your new password is set. Sign in with it.",
    forgot: "Forgot your password?",
    safety: (product: string, host: Html) =>
      html`You’re on ${host}. Apps never need your ${product} password.`,
    openId: {
      button: (provider: Html) => html`Continue with ${provider}`,
      another: (provider: Html) => html`Use another ${provider} account`,
      back: "Back to sign-in",
      failed: "You’re not signed in",
      /** `email` is the address of the provider's account. */
      problem: {
        unavailable: (provider) => html`${provider} isn’t responding. Try again in a minute.`,
        misconfigured: (provider) =>
          html`Sign-in with ${provider} isn’t set up correctly. Contact us.`,
        cancelled: (provider) => html`You canceled the sign-in at ${provider}.`,
        ended: () =>
          html`This sign-in was already used, took too long, or started in another browser.`,
        no_account: (_provider, email) => html`${email} has no account here. Ask us for one.`,
        not_connected: (provider) =>
          html`Your ${provider} account isn’t connected here yet. Try again in a few minutes. If that doesn’t help, contact us.`,
        unverified: (provider) =>
          html`${provider} didn’t confirm your email address. Verify it there.`,
        joined_with_another: (provider, email) =>
          html`${email} is linked to another ${provider} account.`,
      } satisfies Record<string, (provider: Html, email: Html) => Html>,
    },
  },
  password: {
    heading: "Choose a new password",
    present: "Current password",
    chosen: "New password",
    repeated: "Confirm new password",
    show: "Show passwords",
    rule: "At least 15 characters, such as four unrelated words. Avoid your name, email, shop and our product’s name.",
    problem: {
      too_short: "Use at least 15 characters.",
      too_long: "Use at most 256 characters.",
      blank: "A password can’t be only spaces.",
      common: "This password is too common.",
      personal: "It contains one of these names.",
      wrong: "Incorrect current password.",
      again: "Enter your current password again.",
      same: "This is your current password.",
      not_repeated: "The new passwords don’t match.",
    },
    change: {
      lead: "You’ll be signed out everywhere else.",
      submit: "Change password",
      done: "Password changed",
      doneLead: "You’re now signed out everywhere else.",
    },
    reset: { lead: "You’ll be signed out everywhere.", submit: "Set password" },
    ended: {
      title: "This link has expired",
      lead: "Links work once, for a limited time. Use the newest one.",
      again: "Get a new link",
    },
    forgot: {
      lead: "We’ll email you a link to set a new password",
      submit: "Send link",
      /** Shown if mail is off. */
      askUs: "Ask us for a link to set a new password",
      notAnAddress: "Enter a complete email address, such as anna@shop.example.",
      tooMany: (minutes: number) =>
        `Too many requests. Check your inbox and the address, or try again ${inMinutes(minutes)}.`,
    },
    sent: {
      title: "Check your inbox",
      lead: (from: Html) =>
        html`If this email has an account, a link from ${from} is on its way. It works for 30 minutes.`,
      noMail: "No email after five minutes? Check your spam folder and the address.",
      again: "Send again",
    },
  },
  consent: {
    title: (app: string) => `Connect ${app}`,
    heading: (app: Html, shop: Html | string) => html`Connect ${app} to ${shop}?`,
    yourShop: "your shop",
    lead: (host: Html) => html`You’ll return to ${host} either way.`,
    shop: "Shop",
    by: (publisher: Html) => html`By ${publisher}`,
    privacyPolicy: "Privacy policy",
    wouldAllow: "The app will be able to",
    notIncluded: "Not included",
    /** `duration` such as '30 days'. */
    lasts: (link: Html, duration: string) =>
      html`Access ends when you disconnect in ${link}, or after ${duration} without use.`,
    willNever:
      "The app sees the shop’s name, domain and plan, never your password or shops you didn’t approve.",
    findShop: "Find a shop by name or domain",
    find: "Search",
    found: (found: number, all: number) => `${found === all ? "" : `${found} of `}${all} shops`,
    showAll: "Show all",
    renews: "Approving renews access with the same permissions.",
    adds: "New permission:",
    drops: "Removed permission:",
    needs: (plan: string) => `Requires the ${plan}.`,
    changePlan: (plan: string) =>
      `This app needs the ${plan}. Ask us to change the plan, then connect again.`,
    paused: (product: string) => `Paused by ${product}.`,
    for: (shop: Html) => html`For ${shop}`,
    approve: "Approve",
    decline: "Decline",
    choose: "Choose a shop.",
    notOffered: "This shop can’t be connected. Choose another one.",
    changed: "Something has changed. Please review before you approve.",
    noShops: "No shops in your account",
    noShopsLead: "Ask us to add your shop, or use another account.",
    /** For a merchant whose shops can't grant any of the requested scopes. */
    cannot: (app: Html) => html`${app} can’t be connected`,
    backTo: (app: Html) => html`Back to ${app}`,
  },
  connectedApps: {
    title: "Connected apps",
    heading: "Apps connected to your shops",
    lead: "You or a colleague approved each of them.",
    none: "No connected apps yet",
    howToConnect: "To connect an app, start in the app.",
    permissions: "Permissions",
    at: (app: Html, shop: Html) => html`${app} at ${shop}`,
    approvedBy: "Last approved by",
    lastUsed: "Last used",
    never: "Not used yet",
    expires: "Expires if unused",
    status: {
      connected: "Connected",
      approved: "Not finished",
      expired: "Expired",
      disabled: "Paused",
      revoked: "Disconnected",
    },
    disconnect: "Disconnect",
    search: "Find a shop or an app",
    earlier: "Previous",
    later: "Next",
    pageOf: (page: number, pages: number) => `Page ${page} of ${pages}`,
    deletion: (contact: Html) => html`To have your data deleted, email ${contact}.`,
    disconnected: (app: Html, shop: Html) => html`${app} no longer has access to ${shop}.`,
  },
  disconnect: {
    heading: (app: Html, shop: Html) => html`Disconnect ${app} from ${shop}?`,
    lead: "It loses access immediately, and keeps what it has already read.",
    /** The title if the connection has expired. */
    removal: (app: Html, shop: Html) => html`Remove ${app} from ${shop}?`,
    removalLead: "Its access has expired. Removing takes it off your list; it keeps what it read.",
    remove: "Remove",
    keep: "Cancel",
  },
  account: {
    useAnother: "Use another account",
    signOut: "Sign out",
    signOutEverywhere: "Sign out everywhere",
  },
  passkeys: {
    title: "Passkeys",
    lead: "A passkey protects you if your password is stolen. We ask for it on new devices, and before an app gets personal data unless you’ve just signed in.",
    since: (date: Html) => html`Added ${date}.`,
    used: (date: Html) => html`Last used ${date}.`,
    name: "Name",
    newName: "My passkey",
    remove: "Remove passkey",
    removesLast: "This is your only passkey. You’ll sign in with your password only.",
    add: "Add a passkey",
    done: { added: "Passkey added.", removed: "Passkey removed." },
    problem: {
      name: "Enter a name of at most 100 characters.",
      not_made: "The passkey couldn’t be verified. Please try again.",
    },
    proof: {
      title: "Confirm it’s you",
      byPasskey: (email: Html) => html`Use the passkey of ${email} to continue.`,
      byPassword: (product: string) => `Enter your ${product} password to continue.`,
      bySignIn: "Sign in again to continue.",
      use: "Use passkey",
      confirm: "Confirm",
      failed: "The passkey wasn’t used. Please try again.",
      noPasskey: "This browser can’t use passkeys, or JavaScript is off. Use another browser.",
      lost: "Can’t use your passkey?",
      wrong: "This passkey doesn’t work here. Please try again.",
    },
  },
  /** The failure that an error page reports. A lead may begin with the app's name. */
  failure: {
    /** The partner's request has a wrong client, redirect URI or state, so we don't redirect. */
    invalid_link: {
      title: "This link doesn’t work",
      lead: (app: Html) =>
        html`${app} sent an invalid request. Try again, or contact the app’s developer.`,
    },
    client_disabled: {
      title: "This app can’t be connected",
      lead: (app: Html) => html`${app} can’t connect shops right now. Contact us.`,
    },
    /** The authorization was approved, and the app has exchanged the code. */
    already_connected: { title: "Already connected", lead: "You can go back to the app." },
    already_approved: {
      title: "Already approved",
      lead: "Go back to the app. If it isn’t connected, start again there.",
    },
    /** The authorization has ended, or it began in another browser. */
    ended: {
      title: "This request has ended",
      lead: "It was already answered, took too long, or started in another browser. Start again in the app.",
    },
    /** The browser sent no cookie of ours. */
    no_cookies: {
      title: "Cookies are blocked",
      lead: (_app: Html, host: Html) =>
        html`Allow cookies for ${host}, then return to the app and connect again.`,
    },
    bad_request: {
      title: "Request not accepted",
      lead: "Nothing was changed. Please go back and try again.",
    },
    not_found: { title: "Page not found", lead: "Check the address." },
    too_many_requests: {
      title: "Too many requests",
      lead: "Your network sent many requests. Please wait a minute.",
    },
    unavailable: {
      title: "Please try again shortly",
      lead: "We can’t respond right now. Please wait a few seconds, then try again.",
    },
    unexpected: {
      title: "Something went wrong",
      lead: "The problem is on our side. Please try again.",
    },
  },
  failurePage: {
    /** Begins a sentence if the app's name is not known. */
    unnamedApp: "The app",
    forDevelopers: "For developers",
    requestId: "Request ID",
  },
};

/** The texts of one language for everything that a merchant can see. */
export type Texts = typeof en;

/** The failure that an error page reports. */
export type FailureKind = keyof Texts["failure"];
