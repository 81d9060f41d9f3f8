import type { FastifyInstance, FastifyReply } from "fastify";
import type { SignInPlace } from "../pages/merchant-sign-in.ts";
import { CONNECTED_APPS_PATH, SIGN_IN_PATH } from "../pages/paths.ts";
import { redirectTo } from "../pages/send-merchant-page.ts";
import { showSignInForm, signIn } from "./sign-in.ts";
import type { SignInContext } from "./sign-in-context.ts";

/** Signing in at no other page: it leads back to the page that asked for it, or else to the connected apps. */
function placeOf({ returns }: SignInContext, reply: FastifyReply): SignInPlace {
  const asked = returns.asked(reply.request);
  return {
    action: returns.passedOn(reply, SIGN_IN_PATH),
    destination: asked?.path ?? CONNECTED_APPS_PATH,
    app: asked?.app ?? null,
    declinePath: null,
  };
}

export const SIGN_OUT_PATH = "/oauth/sign-out";

/** The purpose that a sign-out form's token is made for. */
export const SIGN_OUT = "sign-out";

export function signInRoutes(app: FastifyInstance, context: SignInContext): void {
  app.get(SIGN_IN_PATH, async (request, reply) => {
    const place = placeOf(context, reply);
    if (await context.session.merchant(request)) return redirectTo(reply, place.destination);
    return showSignInForm(context, reply, place);
  });
  app.post(SIGN_IN_PATH, (_, reply) => signIn(context, reply, placeOf(context, reply)));

  // A reload or a change of the language after a failure.
  app.get(SIGN_OUT_PATH, async (_, reply) => redirectTo(reply, CONNECTED_APPS_PATH));
  app.post(SIGN_OUT_PATH, async (request, reply) => {
    if (!context.formTokens.isValid(request, SIGN_OUT)) return redirectTo(reply, CONNECTED_APPS_PATH);
    return redirectTo(reply, `${SIGN_IN_PATH}?signed_out=${await context.session.end(reply)}`);
  });
}
