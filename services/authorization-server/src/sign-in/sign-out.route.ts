import type { FastifyInstance } from "fastify";
import { redirectTo } from "../merchant-page/frame/send-merchant-page.ts";
import { CONNECTED_APPS_PATH, SIGN_IN_PATH } from "../merchant-page/paths.ts";
import type { SignInContext } from "./sign-in-context.ts";
import { signOut } from "./sign-out.ts";

export const SIGN_OUT_PATH = "/oauth/sign-out";

/** The purpose that a sign-out form's token is made for. */
export const SIGN_OUT = "sign-out";

export function signOutRoute(app: FastifyInstance, context: SignInContext): void {
  // A reload or a change of the language after a failure.
  app.get(SIGN_OUT_PATH, async (_, reply) => redirectTo(reply, CONNECTED_APPS_PATH));
  app.post(SIGN_OUT_PATH, async (request, reply) => {
    if (!context.formTokens.isValid(request, SIGN_OUT)) return redirectTo(reply, CONNECTED_APPS_PATH);
    await signOut(context, request, reply);
    return redirectTo(reply, `${SIGN_IN_PATH}?signed_out=1`);
  });
}
