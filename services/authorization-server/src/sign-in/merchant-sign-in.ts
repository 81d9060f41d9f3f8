import type { Sql } from "@partner-connect/database";
import { verifyPassword } from "@partner-connect/directory";
import { type Redis, WindowCounts } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import type { BrowserSecrets, FormTokens } from "../pages/form-token.ts";
import type { KnownEmail } from "../pages/known-email.ts";
import { merchantCookie } from "../pages/merchant-cookie.ts";
import type { MerchantSignIn } from "../pages/merchant-sign-in.ts";
import { OPENID_CALLBACK_PATH, OPENID_PATH, PROOF_PATH } from "../pages/paths.ts";
import type { ReturnPaths } from "../pages/return-paths.ts";
import type { SealedForBrowser } from "../pages/sealed-for-browser.ts";
import { accountHasher } from "./account-hash.ts";
import { confirm, forgiveGuesses } from "./confirm.ts";
import { merchantSession } from "./merchant-session.ts";
import { openIdRoutes } from "./openid/openid.route.ts";
import { type OpenIdSettings, openIdProvider } from "./openid/openid-provider.ts";
import type { Challenges } from "./passkeys/challenges.ts";
import { proofRoutes } from "./passkeys/proof.route.ts";
import type { RelyingParty } from "./passkeys/relying-party.ts";
import { secondFactor } from "./passkeys/second-factor.ts";
import { secondSteps } from "./passkeys/second-steps.ts";
import { passwordQueue } from "./password-queue.ts";
import { SIGN_OUT, SIGN_OUT_PATH, signInRoutes } from "./sign-in.route.ts";
import { showSignInForm, signIn } from "./sign-in.ts";
import type { SignInContext } from "./sign-in-context.ts";
import { DEVICE_SECONDS, knownDevices } from "./throttle/known-devices.ts";
import { signInThrottle } from "./throttle/sign-in-throttle.ts";

export interface SignInOptions {
  readonly sql: Sql;
  readonly redis: Redis;
  readonly publicBaseUrl: string;
  readonly browsers: BrowserSecrets;
  readonly formTokens: FormTokens;
  readonly returns: ReturnPaths;
  readonly knownEmail: KnownEmail;
  readonly sealed: SealedForBrowser;
  readonly openId: OpenIdSettings | null;
  readonly decisionRateLimit: number;
  readonly challenges: Challenges;
  readonly party: RelyingParty;
  readonly databaseUrl: string;
}

export function merchantSignIn(app: FastifyInstance, options: SignInOptions): MerchantSignIn {
  const { sql, redis, publicBaseUrl, formTokens, returns, knownEmail, openId, challenges, party } = options;
  const session = merchantSession(options);
  const base: Omit<SignInContext, "secondFactor"> = {
    sql,
    session,
    throttle: signInThrottle(redis),
    hashing: passwordQueue(),
    formTokens,
    returns,
    knownEmail,
    openId: (reply, page) =>
      openId && { name: openId.name, only: openId.only, path: returns.leadingTo(reply, OPENID_PATH, page) },
    accountHash: accountHasher(options.databaseUrl),
    deviceCookie: merchantCookie(publicBaseUrl, "merchant_device", { maxAgeSeconds: DEVICE_SECONDS }),
    steps: secondSteps(redis, options.browsers),
    challenges,
    party,
    attempts: new WindowCounts(10 * 60, { redis, prefix: "second_factor" }),
    devices: knownDevices(redis),
  };
  const context: SignInContext = { ...base, secondFactor: secondFactor(base) };
  // The first check of an unknown account makes the hash that all such checks use. No merchant should wait for that.
  app.addHook("onReady", async () => void (await verifyPassword(null, "")));
  signInRoutes(app, context);
  proofRoutes(app, context);
  if (openId !== null) {
    const provider = openIdProvider(openId, publicBaseUrl + OPENID_CALLBACK_PATH);
    const { sealed, decisionRateLimit: rateLimit } = options;
    openIdRoutes(app, context, { redis, sealed, provider, name: openId.name, rateLimit });
  }
  return {
    merchant: session.merchant,
    account(reply, merchant) {
      const token = formTokens.issue(reply, SIGN_OUT);
      return { merchant, signOutPath: SIGN_OUT_PATH, token, purpose: "sign_out" };
    },
    showForm: (reply, place) => showSignInForm(context, reply, place),
    openId: context.openId,
    signIn: (reply, place) => signIn(context, reply, place),
    signOut: session.end,
    confirm: (reply, email, password) => confirm(context, reply, email, password),
    hashing: context.hashing,
    start: async (reply, merchant) => session.start(reply, merchant, await session.proof(reply.request)),
    startProven: context.secondFactor.startProven,
    isProven: context.secondFactor.isProven,
    mustProve: context.secondFactor.mustProve,
    proofPath: (reply, page) => returns.leadingTo(reply, PROOF_PATH, { path: page, app: null }),
    forgiveGuesses: (reply, email) => forgiveGuesses(context, reply, email),
  };
}
