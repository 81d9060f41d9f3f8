import type { Merchant, MerchantAccount } from "@partner-connect/directory";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { AccountView } from "./frame/account.view.ts";
import type { Texts } from "./texts/en.ts";

/** What the pages of other features ask of `sign-in/`, which implements it. */
export interface MerchantSignIn {
  merchant(request: FastifyRequest): Promise<MerchantAccount | null>;
  account(reply: FastifyReply, merchant: Merchant): AccountView;
  /** Sends the sign-in form. It says so if the browser's session has ended. */
  showForm(reply: FastifyReply, place: SignInPlace): FastifyReply;
  /** Answers a posted sign-in form: with a new session and a redirect, or with the form again and the problem. */
  signIn(reply: FastifyReply, place: SignInPlace): Promise<FastifyReply>;
  /** Ends the session of this browser or, if the posted form says so, all sessions of the merchant. */
  signOut(reply: FastifyReply): Promise<void>;
  /** Judges the present password of a merchant. It is counted and throttled like a sign-in. */
  confirm(reply: FastifyReply, email: string, password: string): Promise<Confirmation>;
  /** Runs `work`, which hashes a password. While too many are hashed already, it throws a 503 instead. */
  hashing<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T>;
  /** Starts a session for the account as a change has left it; the one that the browser had ends. */
  start(reply: FastifyReply, merchant: MerchantAccount): Promise<void>;
  /** Forgets wrong guesses from here, once the merchant has proved in another way whose account it is. */
  forgiveGuesses(reply: FastifyReply, email: string): Promise<void>;
}

export type Confirmation =
  | { readonly outcome: "right"; readonly merchant: MerchantAccount }
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
  readonly declinePath: string | null;
  readonly notice?: (texts: Texts) => string;
}
