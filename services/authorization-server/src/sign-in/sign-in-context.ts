import type { Sql } from "@partner-connect/database";
import type { WindowCounts } from "@partner-connect/service-runtime";
import type { FastifyReply } from "fastify";
import type { FormTokens } from "../pages/form-token.ts";
import type { KnownEmail } from "../pages/known-email.ts";
import type { MerchantCookie } from "../pages/merchant-cookie.ts";
import type { OpenIdChoice } from "../pages/merchant-sign-in.ts";
import type { ReturnPath, ReturnPaths } from "../pages/return-paths.ts";
import type { MerchantSession } from "./merchant-session.ts";
import type { Challenges } from "./passkeys/challenges.ts";
import type { RelyingParty } from "./passkeys/relying-party.ts";
import type { SecondFactor } from "./passkeys/second-factor.ts";
import type { SecondSteps } from "./passkeys/second-steps.ts";
import type { PasswordQueue } from "./password-queue.ts";
import type { KnownDevices } from "./throttle/known-devices.ts";
import type { SignInThrottle } from "./throttle/sign-in-throttle.ts";

export interface SignInContext {
  readonly sql: Sql;
  readonly session: MerchantSession;
  readonly throttle: SignInThrottle;
  readonly hashing: PasswordQueue;
  readonly formTokens: FormTokens;
  readonly returns: ReturnPaths;
  readonly knownEmail: KnownEmail;
  /** How to sign in with an account elsewhere; null where that is not offered. */
  readonly openId: (reply: FastifyReply, page: ReturnPath) => OpenIdChoice | null;
  /** What stands for an account in the log; undefined where there is no key for it. */
  readonly accountHash: (email: string) => string | undefined;
  readonly secondFactor: SecondFactor;
  readonly steps: SecondSteps;
  readonly challenges: Challenges;
  readonly party: RelyingParty;
  /** Counts attempts at a second factor. */
  readonly attempts: WindowCounts;
  readonly devices: KnownDevices;
  /** Marks a device from which a merchant has signed in before. */
  readonly deviceCookie: MerchantCookie;
}
