import type { Sql } from "@partner-connect/database";
import type { Client } from "@partner-connect/directory";
import type { BrowserSecrets } from "../merchant-page/forms/browser-secret.ts";
import type { FormTokens } from "../merchant-page/forms/form-token.ts";
import type { MerchantSignIn } from "../merchant-page/merchant-sign-in.ts";
import type { CodeIssuer } from "./decision/code-issuer.ts";
import type { DecisionStore } from "./decision/decision-store.ts";

/** What the pages of an authorization work with. */
export interface ConsentContext {
  readonly sql: Sql;
  /** The `iss` of authorization responses. */
  readonly issuer: string;
  /** A client as it is now. */
  readonly findClient: (clientId: string) => Promise<Client | null>;
  readonly browsers: BrowserSecrets;
  readonly formTokens: FormTokens;
  readonly signIn: MerchantSignIn;
  readonly decisions: DecisionStore;
  readonly codes: CodeIssuer;
  readonly refreshTokenTtlSeconds: number;
  /** How long after its exchange a replayed code is taken for a retry. */
  readonly codeReplayGraceSeconds: number;
}
