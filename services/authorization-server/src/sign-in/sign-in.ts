import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import { formField } from "../merchant-page/forms/form-field.ts";
import { redirectTo } from "../merchant-page/frame/send-merchant-page.ts";
import type { SignInPlace } from "../merchant-page/merchant-sign-in.ts";
import { confirm } from "./password/confirm.ts";
import { recordSignIn } from "./record-sign-in.ts";
import type { SignInContext } from "./sign-in-context.ts";
import { type SignInMessage, showSignInForm } from "./sign-in-form.ts";

const OUTCOMES = { right: "signed_in", wrong: "refused", paused: "refused", throttled: "throttled" } as const;

/** Judges a posted sign-in form: a new session and a redirect, or the form again with the problem. */
export async function signIn(
  context: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
  place: SignInPlace,
): Promise<FastifyReply> {
  const email = formField(request.body, "email").trim();
  const refuse = (status: number, problem: NonNullable<SignInMessage["problem"]>) =>
    showSignInForm(context, request, reply, place, { status, email, problem });
  if (!context.formTokens.isValid(request, place.action)) return refuse(403, (texts) => texts.outOfDate);

  const confirmed = await confirm(context, request, reply, email, formField(request.body, "password"));
  noteFacts(request, { outcome: OUTCOMES[confirmed.outcome] });
  switch (confirmed.outcome) {
    case "throttled":
      reply.header("retry-after", confirmed.waitSeconds);
      return refuse(429, (texts) => texts.tooManyAttempts(Math.ceil(confirmed.waitSeconds / 60)));
    case "wrong":
      return refuse(422, (texts) => texts.wrong);
    case "paused":
      return refuse(403, (texts) => texts.paused);
    case "right":
      await recordSignIn(context, request, confirmed.merchant);
      await context.session.start(request, reply, confirmed.merchant);
      return redirectTo(reply, place.destination);
  }
}
