import type { Scope } from "@partner-connect/contract";

/** An approval, as the library issues the code for it. */
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

/** Issues codes; `provider/` implements it with the library. */
export interface CodeIssuer {
  /** Issues the code. Issuing it again changes nothing: neither its expiry nor whether it was redeemed. */
  issue(approved: ApprovedAuthorization): Promise<void>;
  /** The state of a code now: "gone" if it has expired or was never issued. */
  stateOf(code: string): Promise<"usable" | "redeemed" | "gone">;
}
