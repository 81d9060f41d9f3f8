import type { Sql } from "@partner-connect/database";
import type { FormTokens } from "../merchant-page/forms/form-token.ts";
import type { MerchantSignIn } from "../merchant-page/merchant-sign-in.ts";

/** What the pages of connected apps work with. */
export interface ConnectedAppsContext {
  readonly sql: Sql;
  readonly formTokens: FormTokens;
  readonly signIn: MerchantSignIn;
  readonly refreshTokenTtlSeconds: number;
  /** The life of a code. */
  readonly authorizationCodeTtlSeconds: number;
}
