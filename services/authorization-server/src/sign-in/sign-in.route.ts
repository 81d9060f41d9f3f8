import type { FastifyInstance } from "fastify";
import { redirectTo } from "../merchant-page/frame/send-merchant-page.ts";
import type { SignInPlace } from "../merchant-page/merchant-sign-in.ts";
import { CONNECTED_APPS_PATH, SIGN_IN_PATH } from "../merchant-page/paths.ts";
import { showSignInForm, signIn } from "./sign-in.ts";
import type { SignInContext } from "./sign-in-context.ts";

/** Signing in while no app waits for a decision. */
const PLACE: SignInPlace = { action: SIGN_IN_PATH, destination: CONNECTED_APPS_PATH, app: null, declinePath: null };

export const SIGN_OUT_PATH = "/oauth/sign-out";

/** The purpose that a sign-out form's token is made for. */
export const SIGN_OUT = "sign-out";

export function signInRoutes(app: FastifyInstance, context: SignInContext): void {
  app.get<{ Querystring: { signed_out?: unknown; password_changed?: unknown } }>(
    SIGN_IN_PATH,
    async (request, reply) => {
      if (await context.session.merchant(request)) return redirectTo(reply, PLACE.destination);
      const { signed_out: signedOut, password_changed: passwordChanged } = request.query;
      if (passwordChanged !== undefined) {
        return showSignInForm(context, reply, PLACE, { notice: (texts) => texts.passwordChanged });
      }
      return showSignInForm(context, reply, PLACE, signedOut ? { notice: (texts) => texts.signedOut } : {});
    },
  );
  app.post(SIGN_IN_PATH, (_, reply) => signIn(context, reply, PLACE));

  // A reload or a change of the language after a failure.
  app.get(SIGN_OUT_PATH, async (_, reply) => redirectTo(reply, CONNECTED_APPS_PATH));
  app.post(SIGN_OUT_PATH, async (request, reply) => {
    if (!context.formTokens.isValid(request, SIGN_OUT)) return redirectTo(reply, CONNECTED_APPS_PATH);
    await context.session.end(reply);
    return redirectTo(reply, `${SIGN_IN_PATH}?signed_out=1`);
  });
}
