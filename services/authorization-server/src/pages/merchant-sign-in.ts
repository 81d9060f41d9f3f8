import type { Client, Merchant, MerchantAccount } from "@partner-connect/directory";
import type { Html } from "@partner-connect/service-runtime/html";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Texts } from "../texts/en.ts";
import type { AccountView } from "./page-frame.ts";
import type { ReturnPath } from "./return-paths.ts";

/** What the pages of other features ask of `sign-in/`, which implements it. */
export interface MerchantSignIn {
  merchant(request: FastifyRequest): Promise<MerchantAccount | null>;
  account(reply: FastifyReply, merchant: Merchant): AccountView;
  /** Sends the sign-in form. It says so if the browser's session has ended. */
  showForm(reply: FastifyReply, place: SignInPlace): FastifyReply;
  /** Answers a posted sign-in form: with a new session and a redirect, or with the form again and the problem. */
  signIn(reply: FastifyReply, place: SignInPlace): Promise<FastifyReply>;
  /** How to sign in with an account elsewhere and go on to `page`; null where that is not offered. */
  openId(reply: FastifyReply, page: ReturnPath): OpenIdChoice | null;
  /** Ends the session of this browser or, if the posted form says so, all sessions of the merchant. */
  signOut(reply: FastifyReply): Promise<"here" | "everywhere">;
  /** Judges the present password of a merchant. It is counted and throttled like a sign-in. */
  confirm(reply: FastifyReply, email: string, password: string): Promise<Confirmation>;
  /** Runs `work`, which hashes a password. While too many are hashed already, it throws a 503 instead. */
  hashing<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T>;
  /** Starts a session for the account as a change has left it; the one that the browser had ends. A proof stays as fresh as it was. */
  start(reply: FastifyReply, merchant: MerchantAccount): Promise<void>;
  /** The same for a merchant who has proved just now who she is. The device is trusted from then on. */
  startProven(reply: FastifyReply, merchant: MerchantAccount): Promise<void>;
  /** Whether she has shown a passkey in the last ten minutes or, where she has no passkey, the password. */
  isProven(request: FastifyRequest, merchant: MerchantAccount): Promise<boolean>;
  /** Whether she has a passkey, and has neither signed in nor shown it in the last ten minutes. */
  mustProve(request: FastifyRequest, merchant: MerchantAccount): Promise<boolean>;
  /** The page that asks for a proof, and then leads to `page`. */
  proofPath(reply: FastifyReply, page: string): string;
  /** Forgets wrong guesses from here, once the merchant has proved in another way whose account it is. */
  forgiveGuesses(reply: FastifyReply, email: string): Promise<DeviceNews>;
}

/** The browser's device: the account was signed in to from it before; it was not; it was not, and from no other one lately. */
export type DeviceNews = "known" | "new" | "first";

export interface OpenIdChoice {
  /** What the provider is called. */
  readonly name: string;
  /** Where the sign-in there begins. */
  readonly path: string;
  /** Whether nobody signs in by a password. */
  readonly only: boolean;
}

export type Confirmation =
  | { readonly outcome: "right"; readonly merchant: MerchantAccount; readonly device: DeviceNews }
  | { readonly outcome: "wrong" }
  /** Right, but the account is disabled. */
  | { readonly outcome: "paused" }
  | { readonly outcome: "throttled"; readonly waitSeconds: number };

/** Where a sign-in form stands, and where signing in leads. No part of it comes from the request. */
export interface SignInPlace {
  readonly action: string;
  /** The path that a merchant is redirected to once signed in. */
  readonly destination: string;
  readonly app: string | null;
  /** The app that waits for a decision, and the host that the merchant returns to. */
  readonly asking?: { readonly client: Client; readonly returnHost: string };
  readonly declinePath: string | null;
  /** Above the form, in place of what it says of the app. */
  readonly lead?: (texts: Texts) => Html;
  readonly notice?: (texts: Texts) => string;
  /** Fills in the email. Default: the one that was used last in this browser. */
  readonly email?: string | null;
}
