import type { Scope } from "@partner-connect/contract";

/** A valid authorization request (spec, GET authorize): authorize/ validates it, consent/ asks the merchant. */
export interface AuthorizationRequest {
  readonly clientId: string;
  /** As presented: the registered bytes, but for a loopback URI's port. */
  readonly redirectUri: string;
  readonly state: string;
  readonly scope: readonly Scope[];
  readonly codeChallenge: string;
  readonly hints: AuthorizationHints;
}

/** What makes signing in easier, if it can be read. It never refuses a request. */
export interface AuthorizationHints {
  /** Fills in the email. */
  readonly loginHint?: string;
  /** BCP 47 tags, one space between two: chooses the language where the reader has chosen none. */
  readonly uiLocales?: string;
}
