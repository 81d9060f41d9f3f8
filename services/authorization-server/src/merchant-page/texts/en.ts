import { html } from "../html.ts";
import type { Texts } from "./texts.ts";

/** One file for all pages, so that a translator reads the language in one piece. */
export const en: Texts = {
  language: "en",
  languageName: "English",
  product: "Partner Connect",
  skipToContent: "Skip to content",
  plan: { standard: "Standard plan", advanced_attribution: "Advanced attribution plan" },
  scope: {
    "responses:read": {
      title: "Read survey responses and questions",
      does: "All responses of your customers, past and future, with email address and order details.",
      doesNot: "It can’t change or delete anything.",
    },
    "sources:write": {
      title: "Add attribution sources",
      does: "New sources, such as podcasts or channels, that responses can be attributed to.",
      doesNot: "This does not let it read responses or remove a source.",
    },
  },
  frame: { language: "Language", help: "Help", privacy: "Privacy", terms: "Terms" },
  signIn: {
    title: "Sign in",
    lead: (app) =>
      app
        ? html`${app} asks to be connected with your shop. Sign in to see what it asks for. Nothing is shared until you approve it.`
        : html`Sign in to see and manage the apps connected with your shops.`,
    email: "Email",
    password: "Password",
    submit: "Sign in",
    wrong: "The email or the password is not right. Please try again.",
    paused: "Your account is paused, so nobody can sign in to it. Please contact support.",
    tooManyAttempts: (minutes) =>
      minutes === 1
        ? "Too many attempts to sign in. Please try again in a minute."
        : `Too many attempts to sign in. Please try again in ${minutes} minutes.`,
    outOfDate: "This page was out of date and nothing was sent. Please sign in again.",
    sessionEnded: "You were signed out because your session ended. Nothing was shared. Please sign in again.",
    signedOut: "You are signed out.",
    passwordChanged: "Your new password is set. Sign in with it now.",
    forgot: "Forgot your password?",
    decline: (app) => html`Don’t connect ${app}`,
    safety: (host) => html`You are on ${host}. Enter your password only on this page. An app never needs it.`,
  },
  password: {
    present: "Present password",
    chosen: "New password",
    repeated: "New password again",
    rule: "At least 15 characters. Four or five words that have nothing in common are strong and easy to keep in mind; spaces are fine. Not your email, your name, your shop or our name.",
    problem: {
      too_short: "This is too short: use at least 15 characters.",
      too_long: "This is too long: use at most 256 characters.",
      common: "Many people use this password, so it is tried first. Please choose another one.",
      personal: "This is little more than a name that others know, so it is tried first. Please choose something else.",
      wrong: "This is not your present password.",
      same: "This is the password that you have now. Please choose another one.",
      not_repeated: "The two new passwords are not the same. Please type the new one again.",
    },
    tooManyAttempts: (minutes) =>
      minutes === 1
        ? "Too many attempts with a wrong password. Please try again in a minute."
        : `Too many attempts with a wrong password. Please try again in ${minutes} minutes.`,
    change: {
      title: "Change your password",
      lead: "You stay signed in here. Everywhere else you will be signed out.",
      submit: "Change password",
      done: "Your password is changed. You are signed out everywhere else.",
      outOfDate: "This page was out of date and nothing was changed. Please fill it in again.",
    },
    reset: {
      title: "Set a new password",
      lead: (email) =>
        html`For the account ${email}. You will be signed out everywhere and can then sign in with the new password.`,
      submit: "Set password",
      outOfDate: "This page was out of date and nothing was set. Please fill it in again.",
    },
    ended: {
      title: "This link doesn’t work any more",
      lead: "A link to set a new password works once and for 30 minutes, and a newer link ends it. If you have just set a password with it, sign in with that password.",
      next: "If not, ask our support for a new link.",
    },
    forgot: {
      title: "Forgot your password?",
      lead: "We don’t send passwords by mail. You get a link from us, and choose a new password yourself.",
      steps: [
        "Ask our support for a link to set a new password. Tell them the email that you sign in with.",
        "Open the link within 30 minutes. It works once.",
        "Choose a new password and sign in with it. Your shops and connected apps stay as they are.",
      ],
      askHere: "This is how to reach our support",
      back: "Back to sign-in",
    },
  },
  consent: {
    title: (app) => `Connect ${app}`,
    heading: (app) => html`Connect ${app} with your shop?`,
    lead: (app, host) => html`${app} asks for access to one of your shops. Afterwards you return to ${host}.`,
    chooseShop: "Which shop?",
    oneShop: "Your shop",
    asksTo: (app) => html`${app} asks to`,
    willNever: (app) =>
      html`${app} never sees your password, and gets no access to your other shops or to anything not listed here.`,
    connectedNow: "Connected",
    allowedNow: "Allowed now:",
    adds: "Approving adds:",
    drops: "Approving takes away:",
    unchanged: "Approving again does not change what the app may do.",
    withheld: "Not granted",
    notGranted: "Not granted:",
    notInPlan: (plan) => `not included in the ${plan}`,
    nothingToGrant: (plan) => `Can’t be chosen: nothing that the app asks for is included in the ${plan}.`,
    held: "Can’t be chosen: our support has paused this app for this shop. Please contact support.",
    ending: (link) => html`You can end this at any time under ${link}.`,
    approve: "Approve",
    decline: "Decline",
    chooseFirst: "Please choose the shop first.",
    notOffered: "This shop can’t be chosen. Please choose one of the shops below.",
    changed: "What can be granted has changed since this page was opened. Please look again before you approve.",
    otherAccount: "You are now signed in with another account. Please look again before you approve.",
    outOfDate: "This page was out of date and nothing was approved. Please look again before you approve.",
    noShops: "There is no shop in your account yet",
    noShopsLead:
      "An app can only be connected with a shop. Ask the owner of the shop to add you, or use another account. You can also go back to the app without connecting it.",
    noneSelectable: "None of your shops can be connected at the moment. Each shop shows the reason.",
  },
  decline: {
    title: "Decline this request?",
    lead: (app, host) => html`${app} gets no access, and you return to ${host}.`,
    back: "Back",
  },
  returnToPartner: {
    title: "You are returning to the app",
    lead: (app) => html`We are sending you back to ${app}.`,
    link: "Continue",
  },
  connectedApps: {
    title: "Connected apps",
    lead: "These apps can use data of your shops. You can disconnect any of them. That takes effect at once.",
    none: "No app is connected with this shop.",
    noShops: "There is no shop in your account yet.",
    can: "Allowed to",
    connected: "Connected",
    approvedBy: "Approved by",
    merchantOn: (merchant, date) => html`${merchant}, ${date}`,
    lastUsed: "Last used",
    expires: "Ends",
    expiresIfUnused: (date) => html`${date}, if not used before`,
    status: { connected: "Connected", approved: "Not finished yet", expired: "Ended", disabled: "Paused" },
    approved: "The app was approved but has not finished connecting. It gets access when it has finished.",
    expired:
      "The app did not use its access for a long time, so the access ended. The app can ask you to connect it again.",
    disabled: "Our support has paused this connection. The app has no access at the moment.",
    disconnect: "Disconnect",
    disconnected: (app, shop) => html`${app} is disconnected and no longer has access to ${shop}.`,
  },
  disconnect: {
    title: (app) => `Disconnect ${app}`,
    heading: (app, shop) => html`Disconnect ${app} from ${shop}?`,
    lead: (app, shop) => html`${app} loses its access to ${shop} at once.`,
    consequences: (app) => [
      html`${app} can’t read or add anything any more.`,
      html`The company behind the app keeps what it has read. Ask that company if you want it deleted.`,
      html`Your shop and your surveys stay as they are. You can connect the app again later.`,
    ],
    keep: "Keep connected",
    outOfDate: "This page was out of date and nothing was changed. Please confirm once more.",
  },
  account: {
    signedInAs: (merchant, email) => html`Signed in as ${merchant} (${email})`,
    useAnother: "Use another account",
    signOut: "Sign out",
    signOutEverywhere: "Sign out on all devices",
    changePassword: "Change password",
    connectedApps: "Connected apps",
  },
  failure: {
    invalid_link: {
      title: "This link doesn’t work",
      lead: (app) =>
        html`${app} sent you here with a request that we can’t accept. Nothing was shared. Please go back to the app and try again. If it happens again, tell the company behind the app.`,
    },
    client_disabled: {
      title: "This app can’t be connected",
      lead: (app) =>
        html`${app} is not allowed to connect shops at the moment. Nothing was shared. Please ask the company behind the app.`,
    },
    ended: {
      title: "This request has ended",
      lead: "It was already answered, took too long, or was begun in another browser. Nothing more happens here. To connect a shop, go back to the app and start again.",
    },
    foreign_form: {
      title: "We didn’t accept this",
      lead: "What was sent did not come from one of our pages, so we did nothing. Please go back and try again.",
    },
    bad_request: {
      title: "We couldn’t read this",
      lead: "What your browser sent was not complete, so we did nothing. Please go back and try again.",
    },
    not_found: {
      title: "There is nothing here",
      lead: "The address may be mistyped, or the page is gone.",
    },
    too_many_requests: {
      title: "Too many requests",
      lead: "Many requests came from your network in a short time. Please wait a minute and try again.",
    },
    unavailable: {
      title: "Please try again shortly",
      lead: "We can’t answer for the moment. Nothing was lost and nothing was shared. Please try again in a few seconds.",
    },
    unexpected: {
      title: "Something went wrong here",
      lead: "The mistake is ours. Please try again. If it happens again, tell our support the number below.",
    },
  },
  failurePage: { unnamedApp: "The app", forDevelopers: "For developers", requestId: "Request" },
};
