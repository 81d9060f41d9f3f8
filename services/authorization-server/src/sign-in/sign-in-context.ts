import type { Sql } from "@partner-connect/database";
import type { FormTokens } from "../merchant-page/forms/form-token.ts";
import type { MerchantCookie } from "../merchant-page/forms/merchant-cookie.ts";
import type { PasswordQueue } from "./password/password-queue.ts";
import type { MerchantSession } from "./session/merchant-session.ts";
import type { SignInThrottle } from "./throttle/sign-in-throttle.ts";

export interface SignInContext {
  readonly sql: Sql;
  readonly session: MerchantSession;
  readonly throttle: SignInThrottle;
  readonly hashing: PasswordQueue;
  readonly formTokens: FormTokens;
  /** What stands for an account in the log; undefined where there is no key for it. */
  readonly accountHash: (email: string) => string | undefined;
  /** Marks a device from which a merchant has signed in before. */
  readonly deviceCookie: MerchantCookie;
}
