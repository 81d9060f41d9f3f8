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
      does: "All responses of your customers, past and future.",
      personalData: "your customers’ email addresses and order details",
      doesNot: "It can’t change or delete anything.",
    },
    "sources:write": {
      title: SCOPE_TITLES.en["sources:write"],
      does: "Such as podcasts or channels, for responses to be attributed to.",
      personalData: null,
      doesNot: "It can’t remove a source.",
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
    outOfDate: "This page was out of date and nothing was changed. Please try once more.",
  },
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
    paused: "Your account is paused, so nobody can sign in to it.",
    tooManyAttempts: (minutes: number) => `Too many attempts to sign in. Please try again ${inMinutes(minutes)}.`,
    outOfDate: "This page was out of date and nothing was sent. Please sign in again.",
    sessionEnded: "You were signed out because your session ended. Nothing was shared. Please sign in again.",
    signedOut: "You are signed out.",
    signedOutEverywhere: "You are signed out everywhere.",
    passwordChanged: "Your new password is set. Sign in with it now.",
    forgot: "Forgot your password?",
    decline: (app: Html) => html`Don’t connect ${app}`,
    safety: (product: string, host: Html) =>
      html`This is your account with ${product}, and you are on ${host}. Enter its password only on this page. An app never needs it.`,
    openId: {
      button: (provider: Html) => html`Continue with ${provider}`,
      tryAgain: "Try again",
      another: (provider: Html) => html`Use another account of ${provider}`,
      back: "Back to sign-in",
      /** `email` is that of the account elsewhere. */
      problem: {
        unavailable: {
          title: (provider: string) => `${provider} doesn’t answer`,
          lead: (provider: Html, _email: Html) =>
            html`We couldn’t reach ${provider}, or couldn’t make sense of what it answered. Nothing was lost and nothing was shared. Please try again in a minute.`,
        },
        cancelled: {
          title: () => "You did not sign in",
          lead: (provider: Html) => html`You ended the sign-in at ${provider}. Nothing was shared.`,
        },
        ended: {
          title: () => "This sign-in has ended",
          lead: () => html`It was already used, took too long, or was begun in another browser. Please begin again.`,
        },
        no_account: {
          title: () => "There is no account with this address",
          lead: (provider: Html, email: Html) =>
            html`At ${provider} you are ${email}, and nobody has an account with that address here. If you have another account at ${provider}, use that one. If you are new, ask us for an account with this address.`,
        },
        unverified: {
          title: () => "Your address is not verified",
          lead: (provider: Html) =>
            html`${provider} has not verified your email address, so we can’t tell which account here is yours. Verify the address at ${provider}, then try again.`,
        },
        joined_with_another: {
          title: () => "Another account signs in here",
          lead: (provider: Html, email: Html) =>
            html`The account ${email} here belongs to another account of ${provider}, which had this address before. Use that one. If it is gone, only we can give the account here to you.`,
        },
        paused: {
          title: () => "Your account is paused",
          lead: () => html`Nobody can sign in to it at the moment.`,
        },
      },
    },
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
      `Too many attempts with a wrong password. Please try again ${inMinutes(minutes)}.`,
    change: {
      title: "Change your password",
      lead: "You stay signed in here. Everywhere else you will be signed out.",
      submit: "Change password",
      done: "Your password is changed. You are signed out everywhere else.",
    },
    reset: {
      title: "Set a new password",
      lead: (email: Html) =>
        html`For the account ${email}. You will be signed out everywhere and can then sign in with the new password.`,
      submit: "Set password",
    },
    ended: {
      title: "This link doesn’t work any more",
      lead: "A link to set a password works once: for 30 minutes, or for seven days if the account is new. A newer link ends it. If you have just set a password with it, sign in with that password.",
      next: "If not, ask for a new link.",
    },
    forgot: {
      title: "Forgot your password?",
      lead: "We don’t send passwords by mail. You get a link from us, and choose a new password yourself.",
      steps: [
        "Ask us for a link to set a new password. Tell us the email that you sign in with.",
        "Open the link within 30 minutes. It works once.",
        "Choose a new password and sign in with it. Your shops and connected apps stay as they are. If an app sent you here, start there again.",
      ],
      askHere: "This is how to reach us",
    },
    forgotByMail: {
      notAnAddress: "This is not a complete email address, such as anna@shop.example.",
      lead: "Enter the email that you sign in with. We send you a link by which you choose a new password.",
      submit: "Send the link",
      outOfDate: "This page was out of date and nothing was sent. Please try once more.",
      tooMany: (minutes: number) =>
        `Several mails were asked for in a short time. Look into your mailbox, or try again ${inMinutes(minutes)}.`,
      sent: {
        title: "Look into your mailbox",
        lead: (from: Html) =>
          html`If there is an account with this email, a mail from ${from} is on its way. Its link works once, for 30 minutes.`,
        noMail: "If no mail comes within five minutes:",
        steps: [
          "Look into the folder for spam, too.",
          "Perhaps you sign in with another address, or this one was mistyped. Ask for the link once more.",
        ],
        again: "Ask once more",
      },
    },
  },
  consent: {
    title: (app: string) => `Connect ${app}`,
    heading: (app: Html) => html`Connect ${app} with your shop?`,
    lead: (host: Html) => html`Whatever you decide, you return to ${host}.`,
    chooseShop: "Which shop?",
    oneShop: "Your shop",
    by: (publisher: Html) => html`By ${publisher}`,
    verified: (product: string, date: Html) => html`Verified by ${product} on ${date}`,
    allowOptional: "Allow this too. You can leave it out.",
    optional: "optional",
    nothingLeft: "You have left out everything that the app asks for. Please allow something, or decline.",
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
    allowedNow: "Allowed now:",
    adds: "Approving adds:",
    drops: "Approving takes away:",
    unchanged: "What the app may do stays the same.",
    /** Of a shop that is connected, whatever else an approval changes. */
    replaces: "Approving replaces the app’s present access. To get the new one, the app has to finish connecting.",
    pausedMeans: html`<b>Paused:</b> We have paused this app for the shop.`,
    unavailable: "Not available",
    unavailableMeans: html`<b>Not available:</b> The plan of the shop includes nothing that the app asks for.`,
    away: "Not reachable",
    awayMeans: html`<b>Not reachable:</b> We can’t read this shop’s connections at the moment. Please try again in a few minutes.`,
    held: "Can’t be chosen: we have paused this app for this shop.",
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
      "An app can only be connected with a shop. Ask us to add you to your shop, or use another account. You can also go back to the app without connecting it.",
    back: (app: Html) => html`Back to ${app}`,
  },
  /** The page of a merchant whose shops can grant nothing of what the app asks for. */
  nothingToGrant: {
    title: (shops: number): string => (shops === 1 ? "Your shop can’t be connected" : "Your shops can’t be connected"),
    lead: (app: Html) => html`Nothing can be granted to ${app} at the moment.`,
    /** `asked` are the titles of the scopes. */
    notInPlan: (asked: string, plan: string) => `It asks for ‘${asked}’, which is not included in the ${plan}.`,
    /** The client lost the scope since the authorization began. */
    notAllowed: "The app may no longer ask for this. Please tell the app’s developer.",
    held: "We have paused this app.",
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
    noShops: "There is no shop in your account yet. Ask us to add you to your shop.",
    can: "Allowed to",
    approvedBy: "Approved by",
    more: "Details",
    merchantOn: (merchant: Html, date: Html) => html`${merchant}, ${date}`,
    lastUsed: "Last used",
    expires: "Access",
    expiresIfUnused: (date: Html) => html`Expires on ${date} if not used`,
    status: { connected: "Connected", approved: "Not finished yet", expired: "Expired", disabled: "Paused" },
    approved:
      "The app was approved but has not finished connecting. It gets access when it has finished. If that takes more than a few minutes, begin again in the app.",
    expired:
      "The app did not use its access for a long time, so the access ended. The app can ask you to connect it again.",
    disabled: "We have paused this connection. The app has no access at the moment.",
    disconnect: "Disconnect",
    /** `count` chooses the grammar; `number` is how the reader writes it. */
    records: (count: number, number: string) => (count === 1 ? "1 record" : `${number} records`),
    calls: (count: number, number: string) => (count === 1 ? "in 1 call" : `in ${number} calls`),
    read: "Read in the last 30 days",
    readNothing: "Nothing",
    search: "Find a shop or an app",
    earlier: "Previous",
    later: "Next",
    pageOf: (page: number, pages: number) => `Page ${page} of ${pages}`,
    without: (shops: number) => (shops === 1 ? "1 shop without apps" : `${shops} shops without apps`),
    moreWithout: (shops: number) =>
      shops === 1 ? "And 1 more: search for its name." : `And ${shops} more: search for their names.`,
    deletion: (contact: Html) => html`To have deleted what it has read, write to ${contact}.`,
    howToConnect: "To connect one, begin in the app itself. It sends you here, where you choose the shop and approve.",
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
    lead: "A passkey is kept by your device or your password manager. Once you have one, your password alone is not enough: we ask for the passkey when you sign in on a new device, and before an app gets personal data of your customers.",
    none: "You have no passkey yet.",
    since: (date: Html) => html`Added ${date}.`,
    used: (date: Html) => html`Last used ${date}.`,
    unused: "Not used yet.",
    change: "Rename or remove",
    name: "Name of the passkey",
    newName: "My passkey",
    rename: "Rename",
    remove: "Remove",
    removes: "Nobody can use this passkey here any more. You will be signed out everywhere else.",
    removesLast:
      "This is your only passkey. Without it the password alone is enough again. You will be signed out everywhere else.",
    add: "Add a passkey",
    proveFirst: "Before you change anything here, confirm that it is you.",
    done: {
      added: "The passkey is added. You are signed out everywhere else.",
      renamed: "The passkey has its new name.",
      removed: "The passkey is removed. You are signed out everywhere else.",
    },
    problem: {
      name: "Please enter a name that can be read, with at most 100 characters.",
      not_made: "Your browser’s answer could not be checked, so no passkey was added. Please try again.",
      changed: "Your account was changed meanwhile, and nothing was done. Please look again.",
    },
    proof: {
      title: "Confirm that it is you",
      lead: {
        sign_in: (email: Html) =>
          html`Your password was right. You sign in to ${email} on a device that is new to us, so we ask for your passkey too.`,
        again: (email: Html) => html`Use the passkey of ${email}. Then you go on where you were.`,
      },
      byPassword: (email: Html) => html`Enter the password of ${email}. Then you go on where you were.`,
      use: "Use passkey",
      confirm: "Confirm",
      failed: "The passkey was not used. Please try again.",
      noPasskey: {
        get: "Passkeys need scripts, which this browser does not run here, or it does not know passkeys. Use another browser.",
        create:
          "Passkeys need scripts, which this browser does not run here, or it does not know passkeys. Use another browser to add one.",
      },
      lost: "Lost your passkey?",
      outOfDate: "This page was out of date. Please try once more.",
      wrong: "This passkey can’t be used here. Please try again.",
    },
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
    /** The authorization is decided, and the app has got its access. */
    already_connected: {
      title: "Already connected",
      lead: "This app is connected to the shop that you chose. Nothing more is to be done here.",
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
      lead: "Many requests came from your network in a short time.",
    },
    unavailable: {
      title: "Please try again shortly",
      lead: "We can’t answer for the moment. Nothing was lost and nothing was shared. Please try again in a few seconds.",
    },
    unexpected: {
      title: "Something went wrong here",
      lead: "The mistake is ours. Please try again.",
    },
  },
  /** `unnamedApp` begins a sentence in place of an app's name that is not known. */
  failurePage: {
    toApp: (app: Html) => html`Go to ${app}`,
    help: "Get help. Tell us the number below",
    wait: (seconds: number) =>
      seconds === 1 ? "Please try again in a second." : `Please try again in ${seconds} seconds.`,
    approved: (app: Html, shop: Html) => html`You approved ${app} for ${shop}. Nothing more is to be done here.`,
    unnamedApp: "The app",
    forDevelopers: "For developers",
    requestId: "Request",
  },
  /** The gateway's page while no server of ours answers. What was sent to one may have been done, so it promises nothing of that. */
  noServer: {
    lead: "We can’t answer for the moment. Please wait a few seconds, then try again.",
    tryAgain: "Try again",
  },
  /** Of an authorization that this browser has begun, on other pages. */
  waiting: { decision: (app: Html) => html`${app} waits for your decision.`, continue: "Continue with it" },
  /** The pages of a client's people, a group for each section. */
  partner: {
    /** The pages as a whole, and the page on which somebody who belongs to several clients chooses one. */
    choose: {
      title: "Your apps",
      lead: "Choose the app whose pages you want to see.",
    },
    disabled: "We have disabled this app: its calls are refused. Please ask us.",
    outOfDate: "Nothing was changed, because this page was out of date. Please try again.",
    overview: {
      title: "Overview",
      facts: "Your app",
      name: "Name",
      clientId: "Client id",
      redirectUris: "Redirect URIs",
      scope: "Scopes",
      askUs: "To change any of these, contact us",
      askOperator: "To change any of these, ask the operator who registered the app.",
      attention: "What needs you",
      nothing: "Nothing at the moment.",
      refusals: (count: string) => `${count} refused calls in 7 days`,
      secrets: "Two secrets work: end the former one.",
      webhooks: "A webhook fails.",
    },
    connections: {
      title: "Connections",
      search: "Find a shop: the start of its name or domain, or an id",
      show: "Show",
      byStatus: "Status",
      all: "All",
      none: "No connection was found.",
      noneYet: "No shop is connected yet.",
      first: "First page",
      next: "Next page",
      status: {
        connected: "Connected",
        approved: "Approved again",
        expired: "Expired",
        disabled: "Paused by us",
        revoked: "Ended",
      },
      connected: "Connected",
      expires: "Expires if not used",
      never: "Not yet",
      id: "Connection id",
      shopId: "Shop id",
      refused: "Refused lately",
      notRefused: "Nothing in the last seven days.",
      disconnect: {
        title: (shop: string) => `Disconnect ${shop}?`,
        lead: (shop: Html) => html`Your access to ${shop} ends at once, as by POST /oauth/api/revoke.`,
        consequence:
          "Your tokens of this shop stop working. Only the merchant can connect it again. The shop’s members are told.",
        done: "The connection has ended.",
      },
    },
    refusals: {
      title: "What went wrong",
      lead: "Calls of the last 7 days that were refused or failed, the newest reason first. A call is here ten seconds after its answer.",
      find: "The x-request-id of an answer",
      none: "No call was refused in the last 7 days.",
      notFound: "No refused call of this app has this id.",
      nobodys:
        "Perhaps it is older than 7 days, or its answer is not ten seconds old. Of many refusals for one reason, some are only counted. A 401 of the API and a 429 of the token endpoint belong to no app. The guide says what to do about them:",
      counted: (count: string, kept: string) => `${count} in 7 days, ${kept} of them kept`,
      cause: "Cause",
      cure: "Cure",
      guide: "Errors, in the guide",
      param: "parameter",
      more: "More for this reason",
      others: "Other reasons",
      exact:
        "Each refused call of the app is counted, under load too. A server that is killed loses what it counted in its last ten seconds; after a fault of our database a count may be too high.",
    },
    usage: {
      title: "Usage",
      byHour: "48 hours",
      byDay: "30 days",
      none: "The app has done nothing in this time.",
      all: "All",
      columns: {
        calls: "Calls",
        records: "Records",
        refused: "4xx",
        limited: "429",
        failed: "5xx",
        tokens: "Tokens",
        noTokens: "No token",
      },
      limits: "Limits",
      ofConnection: (calls: number) => `${calls} calls a minute for each connection`,
      ofAddress: (calls: number) => `${calls} calls a minute from each IP address of yours`,
      ofBrowser: (calls: number) => `${calls} calls a minute from each merchant’s IP address`,
      guide: "Rate limits, in the guide",
    },
    webhooks: {
      title: "Webhooks",
      lead: "Your endpoints for hints, with the last ten deliveries to each.",
      guide: "Webhooks, in the guide",
      none: "The app has no endpoint. Ask us to add one.",
      status: { active: "Active", paused: "Paused" },
      failingSince: "Each delivery has failed since",
      paused: "Nothing but what you send here is delivered. Ask us to resume the endpoint.",
      test: "Send a test",
      testSent: "The test is on its way. Open this page again to see how it arrived.",
      refused: "Nothing was sent: the endpoint or the app is not there any more.",
      noDeliveries: "Nothing was delivered yet.",
      noAnswer: "No answer",
    },
    credentials: {
      title: "Credentials",
      lead: "The client secret, with which your servers ask for tokens. We keep none: each is shown once.",
      only: "Client secret",
      newest: "New secret",
      former: "Former secret",
      createdAt: "Made",
      inHour: (time: Html) => html`in the hour from ${time}`,
      unused: "Not seen yet",
      worksUntil: "Works until",
      noEnd: "you replace it",
      make: "Make a second secret",
      makeLead:
        "Both work until the former one ends. Install the new one on all your servers, and end the former one here once it is not used any more.",
      days: "Days until the former secret ends (1 to 30)",
      overlap: (time: Html) => html`Both secrets work until ${time}. Until then no third one can be made.`,
      keep: "Leave it as it is",
      end: {
        title: "End the former secret?",
        action: "End the former secret",
        lead: "Calls with it are refused at once. Make sure that none of your servers uses it: a use is seen here within a minute, and told to the hour.",
      },
      replace: {
        title: "Replace the new secret?",
        action: "Replace the new secret",
        lead: "If the new secret was lost: it ends at once, and you get another. The former one goes on until its end.",
      },
      made: {
        title: "Your new client secret",
        lead: "Copy it now, and keep it where only your servers read it. It is never shown again.",
        kept: "I have kept it",
      },
      problem: {
        days: "No secret was made. Choose 1 to 30 days.",
        underWay: "No secret was made: two are there already. If the new one was lost, replace it.",
      },
    },
    testShops: {
      title: "Test shops",
      lead: "Shops of made-up responses. You approve your app for one as a merchant does, and nobody’s data is touched. While your app reads it, each minute responses come, one is recategorized, and some are deleted.",
      none: "There is no test shop yet.",
      make: "Make a test shop",
      full: "Five are the most. Delete one to make another.",
      state: {
        filling: "Its responses are being made: this takes a few seconds",
        ready: "Ready: choose it when your app asks for a shop",
        ending: "Is being deleted",
      },
      delete: "Delete",
      keep: "Keep it",
      deleteTitle: (shop: string) => `Delete ${shop}?`,
      deleteLead: "Its responses and its connection are gone for good within a minute.",
      tooMany: "Five test shops are the most. Delete one to make another.",
      guide: "Test your integration, in the guide",
      connection: "Connection",
      sees: {
        none: "Your app is not connected with this shop. Start its flow, and choose this shop.",
        approved: "The shop is approved, and your app has not exchanged the code. Exchange it within five minutes.",
        connected:
          "A refresh answers 200 with a new access token, and API calls with it are answered 200. Access tokens from before a pause stay refused: refresh first.",
        expired:
          "A refresh fails with 400 invalid_grant, ‘refresh token expired’, and GET /oauth/api/connections says ‘expired’. An access token that your app still has works until it ends. Connect the shop again.",
        disabled:
          "A refresh fails with 400 invalid_grant, ‘grant revoked’, and API calls fail with 403 forbidden. Enable the connection, and the same refresh token works again.",
        revoked:
          "A refresh fails with 400 invalid_grant, ‘grant revoked’, and API calls fail with 403 forbidden. Only a new approval connects the shop again.",
      },
      act: {
        expire: "Let the connection expire",
        revoke: "Revoke",
        disable: "Disable",
        enable: "Enable",
        add: "Add 20 responses",
        recategorize: "Recategorize 5",
        delete: "Delete one",
      },
      responses: (count: number) => `Responses: ${count}`,
      waits: {
        add: "20 responses are about to be added, within seconds.",
        recategorize: "Five responses are about to be recategorized, within seconds.",
        delete: "A response is about to be deleted, within seconds.",
      },
      look: "Look again",
      did: {
        add: "20 responses were added. A walk by updated_at_asc from where your app stopped shows them, and GET /oauth/api/changes names the connection with the kind ‘responses’.",
        recategorize:
          "Five responses have another value in ‘response’, and the first one in ‘original_response’. A walk by updated_at_asc from where your app stopped shows them again.",
        delete:
          "A response was deleted. GET /api/deleted-responses names it, and GET /oauth/api/changes names the connection with the kind ‘deletions’.",
      },
      didNot: {
        add: "Nothing was added: a test shop has at most 5,000 responses. Delete the shop and make another one.",
        recategorize: "Nothing was recategorized: the shop has no responses to change.",
        delete: "Nothing was deleted: the shop has no responses.",
      },
      changedMeanwhile:
        "Nothing was changed: the connection or the shop has changed meanwhile. See below how it is now.",
    },
  },
};

/** The texts of one language for everything that a merchant can see. */
export type Texts = typeof en;

/** Which failure an error page tells. */
export type FailureKind = keyof Texts["failure"];

export type PartnerTexts = Texts["partner"];
