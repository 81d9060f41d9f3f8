import { type Html, html } from "@partner-connect/service-runtime/html";

/**
 * All that a merchant can see, in one file, so that a translator reads the language in one piece. English is the pattern: the other
 * languages have the same texts, with the same parameters. Names and dates are passed in as safe markup.
 */
export const en = {
  language: "en",
  /** In the language itself. */
  languageName: "English",
  product: "Partner Connect",
  skipToContent: "Skip to content",
  plan: { standard: "Standard plan", advanced_attribution: "Advanced attribution plan" },
  scope: {
    "responses:read": {
      title: "Read survey responses and questions",
      does: "All responses of your customers, past and future.",
      personalData: "your customers’ email addresses and order details",
      doesNot: "It can’t change or delete anything.",
    },
    "sources:write": {
      title: "Add attribution sources",
      does: "Such as podcasts or channels, for responses to be attributed to.",
      personalData: null,
      doesNot: "It can’t remove a source.",
    },
  },
  /** What stands around the content of each page. */
  frame: { language: "Language", help: "Help", privacy: "Privacy", terms: "Terms" },
  signIn: {
    title: "Sign in",
    /** `app` is null if no app waits for a decision. */
    lead: (app: Html | null) =>
      app
        ? html`${app} asks to be connected with your shop. Sign in to see what it asks for. Nothing is shared until you approve it.`
        : html`Sign in to see and manage the apps connected with your shops.`,
    email: "Email",
    password: "Password",
    wrong: "The email or the password is not right. Please try again.",
    paused: "Your account is paused, so nobody can sign in to it. Please contact support.",
    tooManyAttempts: (minutes: number) =>
      minutes === 1
        ? "Too many attempts to sign in. Please try again in a minute."
        : `Too many attempts to sign in. Please try again in ${minutes} minutes.`,
    outOfDate: "This page was out of date and nothing was sent. Please sign in again.",
    sessionEnded: "You were signed out because your session ended. Nothing was shared. Please sign in again.",
    signedOut: "You are signed out.",
    passwordChanged: "Your new password is set. Sign in with it now.",
    forgot: "Forgot your password?",
    decline: (app: Html) => html`Don’t connect ${app}`,
    safety: (host: Html) => html`You are on ${host}. Enter your password only on this page. An app never needs it.`,
  },
  password: {
    present: "Current password",
    chosen: "New password",
    repeated: "New password again",
    rule: "At least 15 characters. Four or five words that have nothing in common are strong and easy to keep in mind; spaces are fine. Not your email, your name, your shop or our name.",
    problem: {
      too_short: "This is too short: use at least 15 characters.",
      too_long: "This is too long: use at most 256 characters.",
      blank: "These are blanks alone. Please choose something that can be read.",
      common: "Many people use this password, so it is tried first. Please choose another one.",
      personal: "This is little more than a name that others know, so it is tried first. Please choose something else.",
      wrong: "This is not your current password.",
      same: "This is the password that you have now. Please choose another one.",
      not_repeated: "The two new passwords are not the same. Please type the new one again.",
    },
    tooManyAttempts: (minutes: number) =>
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
      lead: (email: Html) =>
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
        "Choose a new password and sign in with it. Your shops and connected apps stay as they are. If an app sent you here, start there again.",
      ],
      askHere: "This is how to reach our support",
      back: "Back to sign-in",
    },
  },
  consent: {
    title: (app: string) => `Connect ${app}`,
    heading: (app: Html) => html`Connect ${app} with your shop?`,
    lead: (host: Html) => html`Whatever you decide, you return to ${host}.`,
    chooseShop: "Which shop?",
    oneShop: "Your shop",
    by: (publisher: Html) => html`By ${publisher}`,
    privacyPolicy: "Privacy policy",
    /** The titles of the scopes follow, as the rest of the sentence. */
    wouldAllow: "If you approve, the app can",
    personalData: "Personal data:",
    /** `plan` is that of the only shop, or of all. */
    notGranted: (plan: string) => `Not granted: not included in the ${plan}.`,
    /** `plans` are those of some of the shops. */
    notGrantedWith: (plans: string) => `Not granted to shops with the ${plans}: not included there.`,
    lasts: "Access lasts until you end it",
    /** `duration` such as '30 days', in the accusative. */
    ending: (link: Html, duration: string) =>
      html`You can do that at any time under ${link}. It expires if the app does not use it for ${duration}.`,
    willNever: "The app never sees your password, and gets nothing that is not listed here and nothing of other shops.",
    findShop: "Find a shop by name or domain",
    find: "Find",
    found: (found: number, all: number) => `${found} of ${all} shops`,
    foundNone: "No shop was found. Try a part of its name or domain.",
    showAll: "Show all",
    connectedNow: "Connected",
    allowedNow: "Allowed now:",
    adds: "Approving adds:",
    drops: "Approving takes away:",
    unchanged: "What the app may do stays the same.",
    /** Of a shop that is connected, whatever else an approval changes. */
    replaces: "Approving replaces the app’s present access. To get the new one, the app has to finish connecting.",
    paused: "Paused",
    pausedMeans: html`<b>Paused:</b> Our support has paused this app for the shop. Please contact support.`,
    unavailable: "Not available",
    unavailableMeans: html`<b>Not available:</b> The plan of the shop includes nothing that the app asks for.`,
    away: "Not reachable",
    awayMeans: html`<b>Not reachable:</b> We can’t read this shop’s connections at the moment. Please try again in a few minutes.`,
    held: "Can’t be chosen: our support has paused this app for this shop. Please contact support.",
    approve: "Approve",
    approveFor: (shop: Html) => html`Approve for ${shop}`,
    decline: "Decline",
    chooseFirst: "Please choose the shop first.",
    notOffered: "This shop can’t be chosen. Please choose one of the shops below.",
    changed: "What can be granted has changed since this page was opened. Please look again before you approve.",
    otherAccount: "You are now signed in with another account. Please look again before you approve.",
    outOfDate: "This page was out of date and nothing was approved. Please look again before you approve.",
    noShops: "There is no shop in your account yet",
    noShopsLead:
      "An app can only be connected with a shop. Ask the owner of the shop to add you, or use another account. You can also go back to the app without connecting it.",
    back: (app: Html) => html`Back to ${app}`,
  },
  /** The page of a merchant whose shops can grant nothing of what the app asks for. */
  nothingToGrant: {
    title: (shops: number): string => (shops === 1 ? "Your shop can’t be connected" : "Your shops can’t be connected"),
    lead: (app: Html) => html`Nothing can be granted to ${app} at the moment.`,
    /** `asked` are the titles of the scopes. */
    notInPlan: (asked: string, plan: string) =>
      `It asks for ‘${asked}’, which is not included in the ${plan}. Our support can tell you about other plans.`,
    /** The client lost the scope since the authorization began. */
    notAllowed: "The app may no longer ask for this. Please tell the app’s developer.",
    held: "Our support has paused this app. Please contact support.",
    more: (shops: number) => (shops === 1 ? "1 more shop" : `${shops} more shops`),
  },
  decline: {
    title: "Decline this request?",
    lead: (app: Html, host: Html) => html`${app} gets no access, and you return to ${host}.`,
    back: "Back",
  },
  returnToPartner: {
    title: "You are returning to the app",
    lead: (app: Html) => html`We are sending you back to ${app}.`,
    link: "Continue",
  },
  connectedApps: {
    title: "Connected apps",
    lead: "These apps can use data of your shops. You can disconnect any of them. That takes effect at once.",
    none: "No app is connected with this shop.",
    away: "We can’t read this shop’s connections at the moment. Nothing about them has changed. Please try again in a few minutes.",
    noShops: "There is no shop in your account yet. Ask the owner of a shop to invite you.",
    can: "Allowed to",
    connected: "Connected",
    approvedBy: "Approved by",
    merchantOn: (merchant: Html, date: Html) => html`${merchant}, ${date}`,
    lastUsed: "Last used",
    expires: "Access",
    expiresIfUnused: (date: Html) => html`Expires on ${date} if not used`,
    status: { connected: "Connected", approved: "Not finished yet", expired: "Ended", disabled: "Paused" },
    approved:
      "The app was approved but has not finished connecting. It gets access when it has finished. If that takes more than a few minutes, begin again in the app.",
    expired:
      "The app did not use its access for a long time, so the access ended. The app can ask you to connect it again.",
    disabled: "Our support has paused this connection. The app has no access at the moment.",
    disconnect: "Disconnect",
    /** `count` chooses the grammar; `number` is how the reader writes it. */
    records: (count: number, number: string) => (count === 1 ? "1 record" : `${number} records`),
    calls: (count: number, number: string) => (count === 1 ? "in 1 call" : `in ${number} calls`),
    read: "Read in the last 30 days",
    readNothing: "Nothing",
    howToConnect: "To connect one, begin in the app itself. It sends you here, where you choose the shop and approve.",
    joined: (shop: Html) => html`You can now connect apps with ${shop}.`,
    disconnected: (app: Html, shop: Html) => html`${app} is disconnected and no longer has access to ${shop}.`,
  },
  disconnect: {
    title: (app: string) => `Disconnect ${app}`,
    heading: (app: Html, shop: Html) => html`Disconnect ${app} from ${shop}?`,
    lead: (app: Html, shop: Html) => html`${app} loses its access to ${shop} at once.`,
    consequences: (app: Html) => [
      html`${app} can’t read or add anything any more.`,
      html`The app’s developer keeps what it has read. Ask the developer if you want it deleted.`,
      html`Your shop and your surveys stay as they are. You can connect the app again later.`,
    ],
    /** In place of the lead and the consequences, of an app that was approved and has not finished connecting. */
    unfinished: (app: Html, shop: Html) =>
      html`${app} has not finished connecting with ${shop}. If you disconnect it now, your approval no longer counts and the app gets no access. You can connect it again later.`,
    keep: "Keep connected",
    outOfDate: "This page was out of date and nothing was changed. Please confirm once more.",
  },
  members: {
    title: (shop: string) => `People of ${shop}`,
    heading: (shop: Html) => html`Who can connect apps with ${shop}`,
    lead: "Members connect and disconnect apps for this shop. Owners add and remove people, too.",
    listTitle: "Who can connect apps",
    manage: "Add or remove people",
    ownersManage: "An owner of the shop can add and remove people.",
    role: { owner: "Owner", member: "Member" },
    roleDoes: { owner: "also adds and removes people", member: "connects and disconnects apps" },
    you: "you",
    remove: "Remove",
    waiting: "Invitations that wait for an answer",
    waitsUntil: (date: Html) => html`The link works until ${date}.`,
    withdraw: "Withdraw",
    add: "Add a person",
    addLead:
      "You get a link and send it yourself. It works once, for this address alone, for seven days. We send no mail.",
    submit: "Make an invitation link",
    problem: {
      email: "This is not a complete email address, such as anna@shop.example.",
      already_member: "This person belongs to the shop already.",
      too_many: "Fifty invitations wait already. Withdraw one first.",
      last_owner: "A shop keeps one owner at least. Invite another owner first.",
      out_of_date: "This page was out of date and nothing was changed. Please try once more.",
    },
    done: {
      removed: "The person was removed and no longer has access to this shop.",
      withdrawn: "The invitation is withdrawn. Its link no longer works.",
    },
    made: {
      title: "Send this link",
      lead: (email: Html, date: Html) =>
        html`Send it to ${email}. It works once, for this address alone, until ${date}.`,
      once: "The link is shown only now. If you lose it, invite the address again: the former link then ends.",
      link: "Invitation link",
      mail: "Write an email",
      mailSubject: (shop: string) => `Invitation to ${shop}`,
      mailText: (shop: string) => `With this link you can connect apps with ${shop}. It works once, for seven days:`,
      back: "Back to the people of the shop",
    },
    removal: {
      title: (name: string) => `Remove ${name}`,
      heading: (name: Html, shop: Html) => html`Remove ${name} from ${shop}?`,
      consequences: (name: Html) => [
        html`${name} can no longer open the pages of this shop, from now on.`,
        html`Apps that ${name} has connected stay connected. You can disconnect them under Connected apps.`,
        html`Invitations that ${name} has made end.`,
      ],
      yourself: "This is you. Afterwards you can’t open the pages of this shop any more.",
      keep: "Keep",
    },
  },
  invitation: {
    title: (shop: string) => `Invitation to ${shop}`,
    heading: (inviter: Html, shop: Html) => html`${inviter} invites you to ${shop}`,
    lead: {
      owner: (shop: Html) =>
        html`As an owner you can connect apps with ${shop}, disconnect them, and add and remove people.`,
      member: (shop: Html) => html`You can then connect apps with ${shop} and disconnect them.`,
    },
    accept: "Accept",
    forAnother: (email: Html) =>
      html`This invitation is for ${email}, and you are signed in with another account. Use that account to accept it.`,
    haveAccount: "You have an account?",
    newHere: "You are new here?",
    name: "Your name",
    create: "Create account",
    /** After the form for a new account, whether there was one before or not: it doesn't tell. */
    ready:
      "Sign in to accept the invitation. If you have had an account with this email, its password is still the one that counts.",
    problem: {
      name: "Please enter a name that others can read, with at most 100 characters.",
      out_of_date: "This page was out of date and nothing was changed. Please look again.",
    },
    ended: {
      title: "This invitation has ended",
      lead: "An invitation works once and for seven days. It may have been accepted, withdrawn, or replaced by a newer one.",
      next: "If you have accepted it, simply sign in. If not, ask the owner of the shop for a new link.",
    },
  },
  account: {
    signedInAs: (merchant: Html, email: Html) => html`Signed in as ${merchant} (${email})`,
    useAnother: "Use another account",
    signOut: "Sign out",
    signOutEverywhere: "Sign out on all devices",
    changePassword: "Change password",
  },
  /** Which failure an error page tells. A lead may begin with the app's name. */
  failure: {
    /** The partner's request names a client, redirect URI or state that is wrong, so we redirect nobody. */
    invalid_link: {
      title: "This link doesn’t work",
      lead: (app: Html) =>
        html`${app} sent you here with a request that we can’t accept. Nothing was shared. Please go back to the app and try again. If it happens again, tell the app’s developer.`,
    },
    client_disabled: {
      title: "This app can’t be connected",
      lead: (app: Html) =>
        html`${app} is not allowed to connect shops at the moment. Nothing was shared. Please ask the app’s developer.`,
    },
    /** The authorization has ended, or belongs to another browser. */
    ended: {
      title: "This request has ended",
      lead: "It was already answered, took too long, or was begun in another browser. Nothing more happens here. To connect a shop, go back to the app and start again.",
    },
    /** A form that did not come from a page of ours. */
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
  /** `unnamedApp` begins a sentence in place of an app's name that is not known. */
  failurePage: { unnamedApp: "The app", forDevelopers: "For developers", requestId: "Request" },
  /** The gateway's page while no server of ours answers. What was sent to one may have been done, so it promises nothing of that. */
  noServer: {
    lead: "We can’t answer for the moment. Please wait a few seconds, then try again.",
    tryAgain: "Try again",
  },
};

/** The texts of one language for everything that a merchant can see. */
export type Texts = typeof en;

/** Which failure an error page tells. */
export type FailureKind = keyof Texts["failure"];

/** Why a person was not added to a shop, or not removed. */
export type MemberProblem = keyof Texts["members"]["problem"];
