import type { Sql } from "@partner-connect/database";
import { verifyPassword } from "@partner-connect/directory";
import type { Redis } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import type { FormTokens } from "../merchant-page/forms/form-token.ts";
import { merchantCookie } from "../merchant-page/forms/merchant-cookie.ts";
import type { MerchantSignIn } from "../merchant-page/merchant-sign-in.ts";
import { accountHasher } from "./password/account-hash.ts";
import { confirm, forgiveGuesses } from "./password/confirm.ts";
import { passwordQueue } from "./password/password-queue.ts";
import { merchantSession } from "./session/merchant-session.ts";
import { SIGN_OUT, SIGN_OUT_PATH, signInRoutes } from "./sign-in.route.ts";
import { showSignInForm, signIn } from "./sign-in.ts";
import type { SignInContext } from "./sign-in-context.ts";
import { DEVICE_SECONDS } from "./throttle/known-devices.ts";
import { signInThrottle } from "./throttle/sign-in-throttle.ts";

export interface SignInOptions {
  readonly sql: Sql;
  readonly redis: Redis;
  readonly publicBaseUrl: string;
  readonly formTokens: FormTokens;
  readonly databaseUrl: string;
}

export function merchantSignIn(app: FastifyInstance, options: SignInOptions): MerchantSignIn {
  const { sql, redis, publicBaseUrl, formTokens } = options;
  const session = merchantSession(sql, redis, publicBaseUrl);
  const context: SignInContext = {
    sql,
    session,
    throttle: signInThrottle(redis),
    hashing: passwordQueue(),
    formTokens,
    accountHash: accountHasher(options.databaseUrl),
    deviceCookie: merchantCookie(publicBaseUrl, "merchant_device", { maxAgeSeconds: DEVICE_SECONDS }),
  };
  // The first check of an unknown account makes the hash that all such checks use. No merchant should wait for that.
  app.addHook("onReady", async () => void (await verifyPassword(null, "")));
  signInRoutes(app, context);
  return {
    merchant: session.merchant,
    account(reply, merchant) {
      const token = formTokens.issue(reply, SIGN_OUT);
      return { merchant, signOutPath: SIGN_OUT_PATH, token, purpose: "sign_out" };
    },
    showForm(reply, place) {
      const hasEnded = session.isPresented(reply.request);
      return showSignInForm(context, reply, place, hasEnded ? { notice: (texts) => texts.sessionEnded } : {});
    },
    signIn: (reply, place) => signIn(context, reply, place),
    signOut: session.end,
    confirm: (reply, email, password) => confirm(context, reply, email, password),
    hashing: context.hashing,
    start: session.start,
    forgiveGuesses: (reply, email) => forgiveGuesses(context, reply, email),
  };
}
