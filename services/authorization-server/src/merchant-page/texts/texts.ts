import type { Plan, Scope } from "@partner-connect/contract";
import type { PasswordProblem, Role } from "@partner-connect/directory";
import type { Html } from "@partner-connect/service-runtime/html";

/** The texts of one language for everything that a merchant can see. Names and dates are passed in as safe markup. */
export interface Texts {
  readonly language: "en" | "de" | "fr" | "es";
  /** In the language itself. */
  readonly languageName: string;
  readonly product: string;
  readonly skipToContent: string;
  readonly plan: Readonly<Record<Plan, string>>;
  readonly scope: Readonly<Record<Scope, ScopeTexts>>;
  /** What stands around the content of each page. */
  readonly frame: {
    readonly language: string;
    readonly help: string;
    readonly privacy: string;
    readonly terms: string;
  };
  readonly signIn: {
    readonly title: string;
    /** `app` is null if no app waits for a decision. */
    readonly lead: (app: Html | null) => Html;
    readonly email: string;
    readonly password: string;
    readonly submit: string;
    readonly wrong: string;
    readonly paused: string;
    readonly tooManyAttempts: (minutes: number) => string;
    readonly outOfDate: string;
    readonly sessionEnded: string;
    readonly signedOut: string;
    readonly passwordChanged: string;
    readonly forgot: string;
    readonly decline: (app: Html) => Html;
    readonly safety: (host: Html) => Html;
  };
  readonly password: {
    readonly present: string;
    readonly chosen: string;
    readonly repeated: string;
    readonly rule: string;
    readonly problem: Readonly<Record<PasswordProblem | "wrong" | "same" | "not_repeated", string>>;
    readonly tooManyAttempts: (minutes: number) => string;
    readonly change: {
      readonly title: string;
      readonly lead: string;
      readonly submit: string;
      readonly done: string;
      readonly outOfDate: string;
    };
    readonly reset: {
      readonly title: string;
      readonly lead: (email: Html) => Html;
      readonly submit: string;
      readonly outOfDate: string;
    };
    readonly ended: { readonly title: string; readonly lead: string; readonly next: string };
    readonly forgot: {
      readonly title: string;
      readonly lead: string;
      readonly steps: readonly string[];
      readonly askHere: string;
      readonly back: string;
    };
  };
  readonly consent: {
    readonly title: (app: string) => string;
    readonly heading: (app: Html) => Html;
    readonly lead: (host: Html) => Html;
    readonly chooseShop: string;
    readonly oneShop: string;
    readonly by: (publisher: Html) => Html;
    readonly privacyPolicy: string;
    /** The titles of the scopes follow, as the rest of the sentence. */
    readonly wouldAllow: string;
    readonly personalData: string;
    /** `plan` is that of the only shop, or of all. */
    readonly notGranted: (plan: string) => string;
    /** `plans` are those of some of the shops. */
    readonly notGrantedWith: (plans: string) => string;
    readonly lasts: string;
    /** `duration` such as '30 days', in the accusative. */
    readonly ending: (link: Html, duration: string) => Html;
    readonly willNever: string;
    readonly findShop: string;
    readonly find: string;
    readonly found: (found: number, all: number) => string;
    readonly foundNone: string;
    readonly showAll: string;
    readonly connectedNow: string;
    readonly allowedNow: string;
    readonly adds: string;
    readonly drops: string;
    readonly unchanged: string;
    /** Of a shop that is connected, whatever else an approval changes. */
    readonly replaces: string;
    readonly paused: string;
    readonly pausedMeans: Html;
    readonly unavailable: string;
    readonly unavailableMeans: Html;
    readonly away: string;
    readonly awayMeans: Html;
    readonly held: string;
    readonly approve: string;
    readonly approveFor: (shop: Html) => Html;
    readonly decline: string;
    readonly chooseFirst: string;
    readonly notOffered: string;
    readonly changed: string;
    readonly otherAccount: string;
    readonly outOfDate: string;
    readonly noShops: string;
    readonly noShopsLead: string;
    readonly back: (app: Html) => Html;
  };
  /** The page of a merchant whose shops can grant nothing of what the app asks for. */
  readonly nothingToGrant: {
    readonly title: (shops: number) => string;
    readonly lead: (app: Html) => Html;
    /** `asked` are the titles of the scopes. */
    readonly notInPlan: (asked: string, plan: string) => string;
    /** The client lost the scope since the authorization began. */
    readonly notAllowed: string;
    readonly held: string;
    readonly more: (shops: number) => string;
  };
  readonly decline: {
    readonly title: string;
    readonly lead: (app: Html, host: Html) => Html;
    readonly back: string;
  };
  readonly returnToPartner: {
    readonly title: string;
    readonly lead: (app: Html) => Html;
    readonly link: string;
  };
  readonly connectedApps: {
    readonly title: string;
    readonly lead: string;
    readonly none: string;
    readonly away: string;
    readonly noShops: string;
    readonly can: string;
    readonly connected: string;
    readonly approvedBy: string;
    readonly merchantOn: (merchant: Html, date: Html) => Html;
    readonly lastUsed: string;
    readonly expires: string;
    readonly expiresIfUnused: (date: Html) => Html;
    readonly status: Readonly<Record<"connected" | "approved" | "expired" | "disabled", string>>;
    readonly approved: string;
    readonly expired: string;
    readonly disabled: string;
    readonly disconnect: string;
    /** `count` chooses the grammar; `number` is how the reader writes it. */
    readonly records: (count: number, number: string) => string;
    readonly calls: (count: number, number: string) => string;
    readonly read: string;
    readonly readNothing: string;
    readonly howToConnect: string;
    readonly joined: (shop: Html) => Html;
    readonly disconnected: (app: Html, shop: Html) => Html;
  };
  readonly disconnect: {
    readonly title: (app: string) => string;
    readonly heading: (app: Html, shop: Html) => Html;
    readonly lead: (app: Html, shop: Html) => Html;
    readonly consequences: (app: Html) => readonly Html[];
    /** In place of the lead and the consequences, of an app that was approved and has not finished connecting. */
    readonly unfinished: (app: Html, shop: Html) => Html;
    readonly keep: string;
    readonly outOfDate: string;
  };
  readonly members: {
    readonly title: (shop: string) => string;
    readonly heading: (shop: Html) => Html;
    readonly lead: string;
    readonly listTitle: string;
    readonly manage: string;
    readonly ownersManage: string;
    readonly role: Readonly<Record<Role, string>>;
    readonly roleDoes: Readonly<Record<Role, string>>;
    readonly you: string;
    readonly remove: string;
    readonly waiting: string;
    readonly waitsUntil: (date: Html) => Html;
    readonly withdraw: string;
    readonly add: string;
    readonly addLead: string;
    readonly submit: string;
    readonly problem: Readonly<Record<MemberProblem, string>>;
    readonly done: Readonly<Record<"removed" | "withdrawn", string>>;
    readonly made: {
      readonly title: string;
      readonly lead: (email: Html, date: Html) => Html;
      readonly once: string;
      readonly link: string;
      readonly mail: string;
      readonly mailSubject: (shop: string) => string;
      readonly mailText: (shop: string) => string;
      readonly back: string;
    };
    readonly removal: {
      readonly title: (name: string) => string;
      readonly heading: (name: Html, shop: Html) => Html;
      readonly consequences: (name: Html) => readonly Html[];
      readonly yourself: string;
      readonly keep: string;
    };
  };
  readonly invitation: {
    readonly title: (shop: string) => string;
    readonly heading: (inviter: Html, shop: Html) => Html;
    readonly lead: Readonly<Record<Role, (shop: Html) => Html>>;
    readonly accept: string;
    readonly forAnother: (email: Html) => Html;
    readonly haveAccount: string;
    readonly newHere: string;
    readonly name: string;
    readonly create: string;
    /** After the form for a new account, whether there was one before or not: it doesn't tell. */
    readonly ready: string;
    readonly problem: Readonly<Record<"name" | "out_of_date", string>>;
    readonly ended: { readonly title: string; readonly lead: string; readonly next: string };
  };
  readonly account: {
    readonly signedInAs: (merchant: Html, email: Html) => Html;
    readonly useAnother: string;
    readonly signOut: string;
    readonly signOutEverywhere: string;
    readonly changePassword: string;
    readonly connectedApps: string;
  };
  readonly failure: Readonly<Record<FailureKind, FailureTexts>>;
  readonly failurePage: {
    /** Begins a sentence in place of an app's name that is not known. */
    readonly unnamedApp: string;
    readonly forDevelopers: string;
    readonly requestId: string;
  };
  /** The gateway's page while no server of ours answers. What was sent to one may have been done, so it promises nothing of that. */
  readonly noServer: { readonly lead: string; readonly tryAgain: string };
}

export interface ScopeTexts {
  readonly title: string;
  readonly does: string;
  /** What it shares about persons; null if it shares nothing of that kind. */
  readonly personalData: string | null;
  readonly doesNot: string;
}

/** Why a person was not added to a shop, or not removed. */
export type MemberProblem = "email" | "already_member" | "too_many" | "last_owner" | "out_of_date";

export interface FailureTexts {
  readonly title: string;
  /** A sentence may begin with `app`. */
  readonly lead: string | ((app: Html) => Html);
}

/** Which failure an error page tells. */
export type FailureKind =
  /** The partner's request names a client, redirect URI or state that is wrong, so we redirect nobody. */
  | "invalid_link"
  | "client_disabled"
  /** The authorization has ended, or belongs to another browser. */
  | "ended"
  /** A form that did not come from a page of ours. */
  | "foreign_form"
  | "bad_request"
  | "not_found"
  | "too_many_requests"
  | "unavailable"
  | "unexpected";
