import { SCOPE_TITLES } from "@partner-connect/contract";
import { type Html, html } from "@partner-connect/service-runtime/html";

const inMinutes = (minutes: number) => (minutes === 1 ? "in a minute" : `in ${minutes} minutes`);

/**
 * All that a merchant can see, in one file, so that a translator reads the language in one piece. English is the pattern: the other
 * languages have the same texts, with the same parameters. Names and dates are passed in as safe markup.
 */
export const en = {
  language: "en",
  /** In the language itself. */
  languageName: "English",
  skipToContent: "Skip to content",
  plan: { standard: "Standard plan", advanced_attribution: "Advanced attribution plan" },
  scope: {
    "responses:read": {
      title: SCOPE_TITLES.en["responses:read"],
      does: "All responses, past and future. It can’t change or delete them.",
      personalData: "Includes your customers’ email addresses and order details.",
    },
    "sources:write": {
      title: SCOPE_TITLES.en["sources:write"],
      does: "For example podcasts or channels that customers can name. It can’t remove them.",
      personalData: null,
    },
  },
  /** What stands around the content of each page. */
  frame: {
    language: "Language",
    help: "Help",
    privacy: "Privacy",
    terms: "Terms",
    account: "Account",
    partner: "Partner pages",
    docs: "Docs",
    error: "Error:",
    outOfDate: "This page was out of date. Nothing was changed. Please try again.",
  },
  signIn: {
    title: "Sign in",
    heading: (app: Html) => html`Sign in to connect ${app}`,
    lead: "Manage the apps connected to your shops.",
    email: "Email",
    password: "Password",
    wrong: "Incorrect email or password.",
    paused: "Your account is paused. Contact us for help.",
    tooManyAttempts: (minutes: number) => `Too many attempts. Please try again ${inMinutes(minutes)}.`,
    sessionEnded: "Your session has ended. Please sign in again.",
    signedOut: "You are signed out.",
    signedOutEverywhere: "You are signed out everywhere.",
    passwordChanged: "Your new password is set. Sign in with it.",
    forgot: "Forgot your password?",
    decline: (app: Html) => html`Don’t connect ${app}`,
    safety: (product: string, host: Html) => html`You’re on ${host}. Apps never need your ${product} password.`,
    openId: {
      button: (provider: Html) => html`Continue with ${provider}`,
      tryAgain: "Try again",
      another: (provider: Html) => html`Use another ${provider} account`,
      back: "Back to sign-in",
      /** `email` is that of the account elsewhere. */
      problem: {
        unavailable: {
          title: (provider: string) => `${provider} isn’t responding`,
          lead: (_provider: Html, _email: Html) => html`Nothing was shared. Please try again in a minute.`,
        },
        cancelled: {
          title: () => "Sign-in canceled",
          lead: (provider: Html) => html`You canceled the sign-in at ${provider}.`,
        },
        ended: {
          title: () => "This sign-in has ended",
          lead: () => html`It was already used, took too long, or started in another browser.`,
        },
        no_account: {
          title: () => "No account with this email",
          lead: (provider: Html, email: Html) =>
            html`${email}, your email at ${provider}, has no account here. Use another account, or ask us for one.`,
        },
        unverified: {
          title: () => "Email not verified",
          lead: (provider: Html) =>
            html`${provider} didn’t confirm your email address. Verify it there and try again. If it’s verified already, contact us.`,
        },
        joined_with_another: {
          title: () => "Another account signs in here",
          lead: (provider: Html, email: Html) =>
            html`${email} is linked to a different ${provider} account. Use that one, or contact us.`,
        },
        paused: { title: () => "Your account is paused", lead: () => html`Contact us for help.` },
      },
    },
  },
  password: {
    present: "Current password",
    chosen: "New password",
    repeated: "New password again",
    rule: "At least 15 characters. Four or five unrelated words work well. Avoid your name, email and shop.",
    problem: {
      too_short: "Use at least 15 characters.",
      too_long: "Use at most 256 characters.",
      blank: "Use more than spaces.",
      common: "This password is too common.",
      personal: "Don’t use a name or an email.",
      wrong: "Incorrect current password.",
      same: "This is your current password.",
      not_repeated: "The new passwords don’t match.",
    },
    change: {
      title: "Change your password",
      lead: "You’ll be signed out everywhere else.",
      submit: "Change password",
      done: "Password changed. You’re signed out everywhere else.",
    },
    reset: {
      title: "Set a new password",
      lead: (email: Html) => html`For ${email}. You’ll be signed out everywhere.`,
      submit: "Set password",
    },
    ended: {
      title: "This link has expired",
      lead: "A link works once, for 30 minutes, or seven days for a new account. A newer link replaces it.",
    },
    forgot: {
      title: "Forgot your password?",
      lead: "We’ll email you a link to set a new password.",
      submit: "Send link",
      /** Where we send no mail. */
      askUs: "Contact us for a link to set a new password. It works once, for 30 minutes.",
      notAnAddress: "Enter a complete email address, such as anna@shop.example.",
      tooMany: (minutes: number) =>
        `Several emails were requested. Check your inbox, or try again ${inMinutes(minutes)}.`,
    },
    sent: {
      title: "Check your inbox",
      lead: (from: Html) =>
        html`If this email has an account, a link from ${from} is on its way. It works once, for 30 minutes.`,
      noMail: "Nothing after five minutes? Check your spam folder, or try another address.",
      again: "Send again",
    },
  },
  consent: {
    title: (app: string) => `Connect ${app}`,
    heading: (app: Html) => html`Connect ${app} to your shop?`,
    lead: (host: Html) => html`You’ll return to ${host} either way.`,
    chooseShop: "Which shop?",
    oneShop: "Your shop",
    by: (publisher: Html) => html`By ${publisher}`,
    verified: (product: string, date: Html) => html`Verified by ${product} on ${date}`,
    allowOptional: "Allow this (optional)",
    nothingLeft: "Allow at least one permission, or decline.",
    privacyPolicy: "Privacy policy",
    /** The titles of the scopes follow, as the rest of the sentence. */
    wouldAllow: "The app will be able to",
    notAvailable: (plan: string) => `Not available on the ${plan}.`,
    lasts: "Access lasts until you disconnect",
    /** `duration` such as '30 days'. */
    ending: (link: Html, duration: string) =>
      html`You can do that anytime in ${link}. Access expires after ${duration} without use.`,
    willNever: "The app never sees your password, other shops, or anything not listed here.",
    findShop: "Find a shop by name or domain",
    find: "Find",
    found: (found: number, all: number) => `${found} of ${all} shops`,
    foundNone: "No shops found.",
    showAll: "Show all",
    connectedNow: "Already connected.",
    renews: "Approving renews access with the same permissions.",
    adds: "Approving adds:",
    drops: "Approving removes:",
    unavailable: "Not available",
    unavailableMeans: "Not available on this shop’s plan.",
    changePlan: "Contact us to change it.",
    paused: (product: string) => `Paused by ${product}.`,
    whyPaused: "Contact us to find out why.",
    away: "Not reachable",
    awayMeans: "We can’t reach some shops right now. Please try again in a few minutes.",
    approve: "Approve",
    approveFor: (shop: Html) => html`Approve for ${shop}`,
    decline: "Decline",
    chooseFirst: "Choose a shop first.",
    notOffered: "This shop can’t be connected. Choose another one.",
    changed: "The permissions have changed. Please review them before you approve.",
    otherAccount: "You’re now signed in with another account. Please review before you approve.",
    noShops: "No shops in your account",
    noShopsLead: "Ask us to add your shop, or use another account.",
    /** Of a merchant whose shops can grant nothing of what the app asks for. */
    cannot: (app: Html) => html`${app} can’t be connected`,
    notInPlan: (app: Html, shops: number) =>
      shops === 1
        ? html`${app} can’t be connected to this shop on its current plan.`
        : html`${app} can’t be connected to these shops on their current plans.`,
    /** The client lost the scope since the authorization began. */
    notAllowed: "The app may no longer ask for this access. Contact its developer.",
    more: (shops: number) => `and ${shops} more`,
    back: (app: Html) => html`Back to ${app}`,
  },
  decline: {
    title: "Decline this request?",
    lead: (app: Html, host: Html) => html`${app} gets no access. You’ll return to ${host}.`,
    back: "Back",
  },
  returnToPartner: {
    title: "Returning to the app",
    lead: (app: Html) => html`Taking you back to ${app}.`,
    link: "Continue",
  },
  connectedApps: {
    title: "Connected apps",
    lead: "These apps can access your shops’ data. Disconnecting takes effect immediately.",
    none: "No connected apps yet.",
    howToConnect: "To connect an app, start in the app itself.",
    away: (shops: Html) => html`We can’t reach ${shops} right now. Please try again in a few minutes.`,
    shops: (count: number) => `Connected to ${count} shops`,
    details: "Details",
    permissions: "Permissions",
    approvedBy: "Approved by",
    merchantOn: (merchant: Html, date: Html) => html`${merchant}, ${date}`,
    lastUsed: "Last used",
    used: (when: Html) => html`Used ${when}`,
    never: "Not used yet",
    expires: "Access",
    expiresIfUnused: (date: Html) => html`Expires on ${date} if not used`,
    status: { connected: "Connected", approved: "Not finished", expired: "Expired", disabled: "Paused" },
    approved: "The app hasn’t finished connecting. After a few minutes, start again in the app.",
    expired: "Access expired because the app didn’t use it. Connect it again in the app.",
    disconnect: "Disconnect",
    read: "Read in the last 30 days",
    /** `records` and `calls` choose the grammar; the texts beside them are how the reader writes them. */
    usage: (records: number, recordsText: string, calls: number, callsText: string) =>
      `${recordsText} ${records === 1 ? "record" : "records"} in ${callsText} ${calls === 1 ? "call" : "calls"}`,
    search: "Find a shop or an app",
    earlier: "Previous",
    later: "Next",
    pageOf: (page: number, pages: number) => `Page ${page} of ${pages}`,
    deletion: (contact: Html) => html`To have your data deleted, email ${contact}.`,
    disconnected: (app: Html, shop: Html) => html`${app} no longer has access to ${shop}.`,
  },
  disconnect: {
    title: (app: string) => `Disconnect ${app}`,
    heading: (app: Html, shop: Html) => html`Disconnect ${app} from ${shop}?`,
    lead: "It loses access immediately. Its developer keeps what it has already read. You can connect it again later.",
    /** Of an app that was approved and has not finished connecting. */
    unfinished: "It hasn’t finished connecting, and won’t get access. You can connect it again later.",
    keep: "Keep connected",
  },
  account: {
    signedInAs: (merchant: Html, email: Html) => html`Signed in as ${merchant} ${email}`,
    useAnother: "Use another account",
    signOut: "Sign out",
    signOutEverywhere: "Sign out everywhere",
    changePassword: "Change password",
  },
  passkeys: {
    title: "Passkeys",
    lead: "With a passkey, a stolen password is not enough. We ask for it when you sign in on a new device, and before an app gets personal data.",
    none: "You have no passkeys yet.",
    since: (date: Html) => html`Added ${date}.`,
    used: (date: Html) => html`Last used ${date}.`,
    unused: "Not used yet.",
    change: "Rename or remove",
    name: "Name",
    newName: "My passkey",
    rename: "Rename",
    remove: "Remove",
    removes: "You’ll be signed out everywhere else.",
    removesLast:
      "This is your only passkey. Without it, your password alone is enough. You’ll be signed out everywhere else.",
    add: "Add a passkey",
    proveFirst: "Confirm it’s you before you change anything.",
    done: {
      added: "Passkey added. You’re signed out everywhere else.",
      renamed: "Passkey renamed.",
      removed: "Passkey removed. You’re signed out everywhere else.",
    },
    problem: {
      name: "Enter a name of at most 100 characters.",
      not_made: "The passkey couldn’t be verified. Please try again.",
      changed: "Your account has changed. Please try again.",
    },
    proof: {
      title: "Confirm it’s you",
      lead: {
        sign_in: (email: Html) => html`Use the passkey of ${email} to sign in on this new device.`,
        again: (email: Html) => html`Use the passkey of ${email} to continue.`,
      },
      byPassword: (email: Html) => html`Enter the password of ${email} to continue.`,
      use: "Use passkey",
      confirm: "Confirm",
      failed: "The passkey wasn’t used. Please try again.",
      noPasskey: "This browser can’t use passkeys, or JavaScript is off. Use another browser.",
      lost: "Lost your passkey?",
      wrong: "This passkey doesn’t work here. Please try again.",
    },
  },
  /** Which failure an error page tells. A lead may begin with the app's name. */
  failure: {
    /** The partner's request names a client, redirect URI or state that is wrong, so we redirect nobody. */
    invalid_link: {
      title: "This link doesn’t work",
      lead: (app: Html) =>
        html`${app} sent an invalid request. Go back and try again. If it happens again, contact the app’s developer.`,
    },
    client_disabled: {
      title: "This app can’t be connected",
      lead: (app: Html) => html`${app} can’t connect shops right now. Contact the app’s developer.`,
    },
    /** The authorization is decided, and the app has got its access; or has not yet. */
    already_connected: { title: "Already connected", lead: "You can go back to the app." },
    already_approved: {
      title: "Already approved",
      lead: "Go back to the app. If it isn’t connected, start again there.",
    },
    /** The authorization has ended, or belongs to another browser. */
    ended: {
      title: "This request has ended",
      lead: "It was already answered, took too long, or started in another browser. To connect a shop, start again in the app.",
    },
    /** The browser sent no cookie of ours. */
    no_cookies: {
      title: "Cookies are blocked",
      lead: (_app: Html, host: Html) =>
        html`Your browser sent no cookies. Allow them for ${host} and start again, in the same browser.`,
    },
    /** A form that did not come from a page of ours. */
    foreign_form: {
      title: "Request not accepted",
      lead: "It didn’t come from one of our pages. Nothing was changed. Please go back and try again.",
    },
    bad_request: {
      title: "We couldn’t read this request",
      lead: "Nothing was changed. Please go back and try again.",
    },
    not_found: { title: "Page not found", lead: "Check the address." },
    too_many_requests: { title: "Too many requests", lead: "Your network sent many requests in a short time." },
    unavailable: {
      title: "Please try again shortly",
      lead: "We can’t respond right now. Nothing was lost. Please try again in a few seconds.",
    },
    unexpected: { title: "Something went wrong", lead: "The problem is on our side. Please try again." },
  },
  /** `unnamedApp` begins a sentence in place of an app's name that is not known. */
  failurePage: {
    toApp: (app: Html) => html`Go to ${app}`,
    contact: "Contact us",
    wait: (seconds: number) =>
      seconds === 1 ? "Please try again in a second." : `Please try again in ${seconds} seconds.`,
    connected: (app: Html, shop: Html) => html`${app} is connected to ${shop}.`,
    approved: (app: Html, shop: Html) => html`You approved ${app} for ${shop}.`,
    unnamedApp: "The app",
    forDevelopers: "For developers",
    requestId: "Request",
  },
  /** The gateway's page while no server of ours answers. What was sent to one may have been done, so it promises nothing of that. */
  noServer: { lead: "We can’t respond right now. Please wait a few seconds, then try again.", tryAgain: "Try again" },
  /** Of an authorization that this browser has begun, on other pages. */
  waiting: { decision: (app: Html) => html`${app} is waiting for your decision.`, continue: "Continue" },
  /** The pages of a client's people, a group for each section. */
  partner: {
    /** Of people who belong to several clients, or to none. */
    choose: {
      title: "Your apps",
      none: "No app in this account",
      noneLead: "Ask us to add you to your company’s app.",
    },
    disabled: "This app is disabled, so its calls fail. Contact us.",
    outOfDate: "Nothing changed because this page was out of date. Try again.",
    shownOnce: "Copy it now. It is shown only once.",
    saved: "Done, I’ve saved it",
    keep: "Cancel",
    overview: {
      title: "Overview",
      connected: "Connected shops",
      month: "Last 30 days",
      calls: "API calls",
      records: "Records read",
      attention: "Needs attention",
      nothing: "All good.",
      errors: (count: number, number: string) =>
        count === 1 ? "1 error in the last 7 days" : `${number} errors in the last 7 days`,
      secrets: "Two secrets are active. Revoke the old one.",
      webhooks: "A webhook is failing.",
    },
    connections: {
      title: "Connections",
      /** `count` chooses the grammar; `number` is how the reader writes it. */
      total: (count: number, number: string) => (count === 1 ? "1 connection" : `${number} connections`),
      search: "Shop name, domain or ID",
      show: "Search",
      byStatus: "Status",
      all: "All",
      none: "Nothing found. Type how a name or domain begins, or a whole ID.",
      noneYet: "No connected shops yet.",
      first: "First page",
      next: "Next page",
      status: {
        connected: "Connected",
        approved: "Not finished",
        expired: "Expired",
        disabled: "Paused",
        revoked: "Disconnected",
      },
      connected: "Connected",
      expires: "Expires if unused",
      never: "Never",
      id: "Connection ID",
      shopId: "Shop ID",
      errors: "Recent errors",
      disconnect: {
        title: (shop: string) => `Disconnect ${shop}?`,
        lead: "Your access ends immediately. Only the merchant can connect the shop again.",
        done: "Disconnected.",
      },
    },
    errors: {
      title: "Errors",
      lead: "Failed calls of the last 7 days. New ones may take up to 10 seconds.",
      find: "Request ID (x-request-id)",
      none: "No errors in the last 7 days.",
      notFound: "Not found. API 401s and token endpoint 429s aren’t listed.",
      param: "parameter",
      more: "More examples",
      others: "Other errors",
      causes: {
        expired: "The connection was unused for 30 days.",
        ended: "The connection was ended or paused.",
        superseded: "A newer approval replaced this token.",
        unknown: "This token isn’t yours.",
        code: "The code expired, was used, or doesn’t match the request.",
        replayed: "The code was reused, which ended the connection.",
        credentials: "Wrong client ID or secret, or not HTTP Basic.",
        disabled: "Your app is disabled.",
        grantType: "Your app may not use this grant type.",
        scope: "The approval or plan doesn’t include this scope.",
        redirectUri: "This redirect URI isn’t registered.",
        request: "Part of the request is missing, repeated or invalid.",
        cursor: "We restored data.",
        limited: "Too many calls.",
        ours: "Our fault.",
      },
      fixes: {
        reconnect: "Ask the merchant to connect again.",
        refresh: "Refresh once. If that fails, ask the merchant to connect again.",
        newest: "Use the connection’s newest token.",
        restart: "Start a new authorization.",
        contact: "Contact us.",
        scope: "Ask only for granted scopes.",
        request: "Correct the request.",
        cursor: "Read the feed from the beginning.",
        wait: "Wait for retry-after, then try again.",
      },
    },
    webhooks: {
      title: "Webhooks",
      lead: "Called when your feed has something new.",
      none: "No endpoints yet.",
      status: { active: "Active", paused: "Paused", failing: "Failing" },
      failingSince: (time: Html) => html`since ${time}`,
      test: "Send test",
      testSent: "Test sent. Reload this page to see the result.",
      pause: "Pause",
      resume: "Resume",
      remove: "Remove",
      removeTitle: "Remove this endpoint?",
      noDeliveries: "No deliveries yet.",
      noAnswer: "No response",
      url: "Endpoint URL",
      add: "Add endpoint",
      added: "Your signing secret",
      full: "You can have up to ten endpoints.",
      badUrl: "Use an https URL with a public address.",
    },
    settings: {
      title: "Settings",
      app: "App",
      name: "Name",
      clientId: "Client ID",
      redirectUris: "Redirect URIs",
      scope: "Scopes",
      change: "To change these, contact us.",
    },
    secrets: {
      title: "Client secrets",
      newest: "New secret",
      former: "Old secret",
      createdAt: "Created",
      expires: "Expires",
      make: "Add a second secret",
      makeLead: "Both work until the old one expires.",
      days: "Days until the old secret expires (1 to 30)",
      end: {
        title: "Revoke the old secret?",
        action: "Revoke old secret",
        lead: "Calls with it fail immediately.",
      },
      replace: {
        title: "Replace the new secret?",
        action: "Replace new secret",
        lead: "It stops working immediately. The old one keeps working.",
      },
      made: "Your new client secret",
      badDays: "Choose 1 to 30 days.",
      underWay: "Two secrets are already active.",
    },
    testShops: {
      title: "Test shops",
      lead: "Approve your app as a merchant does. While it reads, new responses arrive every minute.",
      make: "Create test shop",
      full: "You can have up to five test shops.",
      state: { filling: "Creating responses…", ready: "Ready", ending: "Deleting…" },
      delete: "Delete",
      deleteTitle: (shop: string) => `Delete ${shop}?`,
      deleteLead: "Its responses and connection are deleted.",
      connection: "Connection",
      sees: {
        none: "Not connected. Start your app’s flow and choose this shop.",
        approved: "Approved. Exchange the code within five minutes.",
        connected: "Refreshes and API calls succeed.",
        expired: "Refreshes fail with ‘refresh token expired’. Connect again.",
        disabled: "Refreshes fail with ‘grant revoked’, API calls with 403. Enable it, and the same token works.",
        revoked: "Refreshes fail with ‘grant revoked’, API calls with 403. Connect again.",
      },
      act: {
        expire: "Expire",
        revoke: "Revoke",
        disable: "Disable",
        enable: "Enable",
        add: "Add 20 responses",
        recategorize: "Recategorize 5",
        delete: "Delete one",
      },
      responses: (count: string) => `Responses: ${count}`,
      waits: "Changing responses…",
      look: "Reload",
      did: { add: "Responses added.", recategorize: "Responses recategorized.", delete: "Response deleted." },
      didNot: "Nothing changed. The limit is 5,000 responses.",
    },
  },
};

/** The texts of one language for everything that a merchant can see. */
export type Texts = typeof en;

/** Which failure an error page tells. */
export type FailureKind = keyof Texts["failure"];

export type PartnerTexts = Texts["partner"];
