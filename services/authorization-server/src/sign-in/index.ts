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
import { signInRoute } from "./sign-in.route.ts";
import { signIn } from "./sign-in.ts";
import type { SignInContext } from "./sign-in-context.ts";
import { showSignInForm } from "./sign-in-form.ts";
import { SIGN_OUT, SIGN_OUT_PATH, signOutRoute } from "./sign-out.route.ts";
import { signOut } from "./sign-out.ts";
import { DEVICE_SECONDS } from "./throttle/known-devices.ts";
import { signInThrottle } from "./throttle/sign-in-throttle.ts";

export interface SignInOptions {
  readonly sql: Sql;
  readonly redis: Redis;
  readonly publicBaseUrl: string;
  readonly formTokens: FormTokens;
  readonly databaseUrl: string;
}

/** Adds the routes that sign merchants in and out. The result is for the other rooms. */
export function signInRoutes(app: FastifyInstance, options: SignInOptions): MerchantSignIn {
  const { sql, redis, publicBaseUrl, formTokens } = options;
  const context: SignInContext = {
    sql,
    session: merchantSession(sql, redis, publicBaseUrl),
    throttle: signInThrottle(redis),
    hashing: passwordQueue(),
    formTokens,
    accountHash: accountHasher(options.databaseUrl),
    deviceCookie: merchantCookie(publicBaseUrl, "merchant_device", { maxAgeSeconds: DEVICE_SECONDS }),
  };
  // The first check of an unknown account makes the hash that all such checks use. No merchant should wait for that.
  app.addHook("onReady", async () => void (await verifyPassword(null, "")));
  signInRoute(app, context);
  signOutRoute(app, context);
  return {
    merchant: context.session.merchant,
    account(request, reply, merchant) {
      const token = formTokens.issue(request, reply, SIGN_OUT);
      return { merchant, signOutPath: SIGN_OUT_PATH, token, purpose: "sign_out" };
    },
    showForm(request, reply, place) {
      const hasEnded = context.session.isPresented(request);
      return showSignInForm(context, request, reply, place, hasEnded ? { notice: (texts) => texts.sessionEnded } : {});
    },
    signIn: (request, reply, place) => signIn(context, request, reply, place),
    signOut: (request, reply) => signOut(context, request, reply),
    confirm: (request, reply, email, password) => confirm(context, request, reply, email, password),
    hashing: context.hashing,
    start: context.session.start,
    forgiveGuesses: (request, reply, email) => forgiveGuesses(context, request, reply, email),
  };
}
