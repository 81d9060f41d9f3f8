import type { FastifyReply, FastifyRequest } from "fastify";
import { formField } from "../merchant-page/form-field.ts";
import { randomSecret } from "../merchant-page/merchant-cookie.ts";
import type { SignInPlace } from "../merchant-page/merchant-sign-in.ts";
import { redirectTo } from "../merchant-page/send-merchant-page.ts";
import { checkPassword } from "./check-password.ts";
import { networkOf } from "./network.ts";
import type { SignInContext } from "./sign-in-context.ts";
import { type SignInMessage, showSignInForm } from "./sign-in-form.ts";

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

  const device = context.deviceCookie.read(request);
  const attempt = { email, network: networkOf(request.ip), device };
  const wait = await context.throttle.begin(attempt);
  if (wait !== null) {
    request.log.warn({ network: attempt.network, wait }, "sign-in throttled");
    reply.header("retry-after", wait);
    return refuse(429, (texts) => texts.tooManyAttempts(Math.ceil(wait / 60)));
  }
  const merchant = await checkPassword(context.sql, email, formField(request.body, "password"));
  if (!merchant) {
    request.log.info({ network: attempt.network }, "sign-in refused");
    return refuse(422, (texts) => texts.wrong);
  }
  if (merchant.status === "disabled") {
    request.log.info({ merchant: merchant.id }, "sign-in refused: the merchant is disabled");
    return refuse(403, (texts) => texts.paused);
  }
  const knownDevice = device ?? randomSecret();
  await context.throttle.succeed({ ...attempt, device: knownDevice });
  await context.session.start(request, reply, merchant);
  context.deviceCookie.set(reply, knownDevice);
  return redirectTo(reply, place.destination);
}
