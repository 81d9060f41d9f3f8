import type { Scope } from "@partner-connect/contract";
import type { BrowserSecrets } from "../pages/form-token.ts";
import type { PageContext } from "../pages/page-context.ts";

export interface ConsentContext extends PageContext {
  readonly browsers: BrowserSecrets;
  readonly codes: CodeIssuer;
  readonly codeReplayGraceSeconds: number;
}

interface ApprovedAuthorization {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly shopId: string;
  readonly grantId: string;
  readonly scope: readonly Scope[];
  readonly code: string;
  /** Seconds that are left of the code's life. */
  readonly ttl: number;
}

/** Issues codes; `provider/` implements it with the library. */
export interface CodeIssuer {
  /** Issues the code. Issuing it again changes nothing: neither its expiry nor whether it was redeemed. */
  issue(approved: ApprovedAuthorization): Promise<void>;
}
