import type { Scope } from "@partner-connect/contract";

/** A valid authorization request (spec, GET authorize): authorize/ validates it, consent/ asks the merchant. */
export interface AuthorizationRequest {
  readonly clientId: string;
  /** As presented: the registered bytes, but for a loopback URI's port. */
  readonly redirectUri: string;
  readonly state: string;
  readonly scope: readonly Scope[];
  readonly codeChallenge: string;
}
