import type { Scope } from "@partner-connect/access-token";

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
