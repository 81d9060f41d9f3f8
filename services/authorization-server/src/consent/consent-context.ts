import type { Scope } from "@partner-connect/contract";
import type { BrowserSecrets } from "../merchant-page/forms/form-token.ts";
import type { PageContext } from "../merchant-page/page-context.ts";
import type { DecisionStore } from "./decision/decision-store.ts";

export interface ConsentContext extends PageContext {
  readonly browsers: BrowserSecrets;
  readonly decisions: DecisionStore;
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
}

/** Issues codes; `provider/` implements it with the library. */
export interface CodeIssuer {
  /** Issues the code. Issuing it again changes nothing: neither its expiry nor whether it was redeemed. */
  issue(approved: ApprovedAuthorization): Promise<void>;
  /** The state of a code now: "gone" if it has expired or was never issued. */
  stateOf(code: string): Promise<"usable" | "redeemed" | "gone">;
}
