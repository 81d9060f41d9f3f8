import type { Sql } from "@partner-connect/database";
import type { FormTokens } from "../merchant-page/forms/form-token.ts";
import type { MerchantSignIn } from "../merchant-page/merchant-sign-in.ts";

/** What the pages about passwords work with. */
export interface PasswordContext {
  readonly sql: Sql;
  readonly formTokens: FormTokens;
  readonly signIn: MerchantSignIn;
}
