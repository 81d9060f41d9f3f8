import type { FastifyInstance } from "fastify";
import { hasToken, type MerchantContext, SIGN_OUT, signedInMerchant } from "../merchant-page/merchant-context.ts";
import { redirectTo } from "../merchant-page/send-merchant-page.ts";
import { type SignInPlace, showSignIn, signIn, signOut } from "./sign-in.ts";

const PLACE: SignInPlace = {
  action: "/oauth/sign-in",
  destination: "/oauth/connections",
  app: null,
  declinePath: null,
};

/** Signing in without a partner's request, and signing out. */
export function signInRoutes(app: FastifyInstance, context: MerchantContext): void {
  app.get<{ Querystring: { signed_out?: unknown } }>(PLACE.action, async (request, reply) => {
    if (await signedInMerchant(context, request)) return redirectTo(reply, PLACE.destination);
    const signedOut = request.query.signed_out !== undefined;
    return showSignIn(context, request, reply, PLACE, signedOut ? { done: (texts) => texts.signedOut } : {});
  });

  app.post(PLACE.action, async (request, reply) => signIn(context, request, reply, PLACE));

  app.post("/oauth/sign-out", async (request, reply) => {
    if (!hasToken(context, request, SIGN_OUT)) return redirectTo(reply, PLACE.destination);
    await signOut(context, request, reply);
    return redirectTo(reply, `${PLACE.action}?signed_out=1`);
  });
}
