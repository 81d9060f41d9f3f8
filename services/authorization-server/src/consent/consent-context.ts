import type { Client } from "@partner-connect/directory";
import type { BrowserSecrets } from "../merchant-page/forms/browser-secret.ts";
import type { PageContext } from "../merchant-page/page-context.ts";
import type { CodeIssuer } from "./decision/code-issuer.ts";
import type { DecisionStore } from "./decision/decision-store.ts";

/** What the pages of an authorization work with. */
export interface ConsentContext extends PageContext {
  /** A client as it is now. */
  readonly findClient: (clientId: string) => Promise<Client | null>;
  readonly browsers: BrowserSecrets;
  readonly decisions: DecisionStore;
  readonly codes: CodeIssuer;
  /** How long after its exchange a replayed code is taken for a retry. */
  readonly codeReplayGraceSeconds: number;
}
