import type { FastifyReply, FastifyRequest } from "fastify";
import { sendMerchantPage } from "../merchant-page/frame/send-merchant-page.ts";
import type { SignInPlace } from "../merchant-page/merchant-sign-in.ts";
import type { Texts } from "../merchant-page/texts/texts.ts";
import { signInView } from "./sign-in.view.ts";
import type { SignInContext } from "./sign-in-context.ts";

/** What the form says and is filled with, beyond an empty form. */
export interface SignInMessage {
  /** Default: 200. */
  readonly status?: number;
  /** As the merchant typed it before. */
  readonly email?: string;
  readonly problem?: (texts: Texts["signIn"]) => string;
  /** What has happened, such as a sign-out. */
  readonly notice?: (texts: Texts["signIn"]) => string;
}

export function showSignInForm(
  context: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
  place: SignInPlace,
  message: SignInMessage = {},
): FastifyReply {
  const { status = 200, email = "", problem, notice } = message;
  const token = context.formTokens.issue(request, reply, place.action);
  return sendMerchantPage(
    reply,
    (locale) => {
      const texts = locale.texts.signIn;
      const said = notice?.(texts) ?? (problem ? null : (place.notice?.(locale.texts) ?? null));
      const view = { place, token, email, problem: problem?.(texts) ?? null, notice: said };
      return signInView(view, locale);
    },
    { status },
  );
}
