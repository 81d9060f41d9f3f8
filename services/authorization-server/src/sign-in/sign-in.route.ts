import type { FastifyInstance } from "fastify";
import { redirectTo } from "../merchant-page/frame/send-merchant-page.ts";
import type { SignInPlace } from "../merchant-page/merchant-sign-in.ts";
import { CONNECTED_APPS_PATH, SIGN_IN_PATH } from "../merchant-page/paths.ts";
import { signIn } from "./sign-in.ts";
import type { SignInContext } from "./sign-in-context.ts";
import { showSignInForm } from "./sign-in-form.ts";

/** Signing in while no app waits for a decision. */
const PLACE: SignInPlace = { action: SIGN_IN_PATH, destination: CONNECTED_APPS_PATH, app: null, declinePath: null };

export function signInRoute(app: FastifyInstance, context: SignInContext): void {
  app.get<{ Querystring: { signed_out?: unknown; password_changed?: unknown } }>(
    SIGN_IN_PATH,
    async (request, reply) => {
      if (await context.session.merchant(request)) return redirectTo(reply, PLACE.destination);
      const { signed_out: signedOut, password_changed: passwordChanged } = request.query;
      if (passwordChanged !== undefined) {
        return showSignInForm(context, request, reply, PLACE, { notice: (texts) => texts.passwordChanged });
      }
      return showSignInForm(context, request, reply, PLACE, signedOut ? { notice: (texts) => texts.signedOut } : {});
    },
  );

  app.post(SIGN_IN_PATH, (request, reply) => signIn(context, request, reply, PLACE));
}
