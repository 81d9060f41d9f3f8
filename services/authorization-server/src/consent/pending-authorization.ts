import type { Scope } from "@partner-connect/access-token";
import type { Client } from "@partner-connect/directory";

/** An authorization that this browser began and that waits for its merchant. */
export interface PendingAuthorization {
  /** The request as it travels in the URLs of its pages. */
  readonly sealed: string;
  /** As it is now. */
  readonly client: Client;
  /** As presented, validated, and registered still. */
  readonly redirectUri: string;
  /** As requested. */
  readonly scope: readonly Scope[];
  readonly state: string;
  readonly codeChallenge: string;
  /** 256 bits of this authorization alone. Not stored, sent or shown; what it leads to is derived from it. */
  readonly secret: string;
  readonly secondsLeft: number;
}

/** What an approval makes: the code for the partner. */
export interface ApprovedAuthorization {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly shopId: string;
  readonly grantId: string;
  readonly scope: readonly Scope[];
  /** The code's value. */
  readonly code: string;
}

/** The seam between the merchant pages and the library that issues codes. */
export interface CodeIssuer {
  /** Issues the code. To issue it once more changes nothing: neither its life nor that it was redeemed. */
  issue(approved: ApprovedAuthorization): Promise<void>;
  /** What a code is worth by now; "gone" where its time is over or there never was one. */
  stateOf(code: string): Promise<"usable" | "redeemed" | "gone">;
}
