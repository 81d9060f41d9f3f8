import { within } from "@partner-connect/database";
import { findMerchantByEmail, type Merchant, verifyPassword } from "@partner-connect/directory";
import type { FastifyReply, FastifyRequest } from "fastify";
import { field } from "../merchant-page/form-body.ts";
import { DATABASE_DEADLINE_MS, hasToken, type MerchantContext, tokenFor } from "../merchant-page/merchant-context.ts";
import { randomSecret } from "../merchant-page/merchant-cookie.ts";
import { redirectTo, sendPage } from "../merchant-page/send-merchant-page.ts";
import { localeOf } from "../merchant-page/texts/locale.ts";
import type { Texts } from "../merchant-page/texts/texts.ts";
import { networkOf } from "./network.ts";
import { signInView } from "./sign-in.view.ts";

/** Where a merchant signs in, and where that leads. None of it comes from the request, so it leads nowhere else. */
export interface SignInPlace {
  /** The form's. */
  readonly action: string;
  readonly destination: string;
  /** The app that waits for an answer. */
  readonly app: string | null;
  readonly declinePath: string | null;
}

interface SignInMessage {
  readonly status?: number;
  readonly email?: string;
  readonly problem?: (texts: Texts["signIn"]) => string;
  readonly done?: (texts: Texts["signIn"]) => string;
}

/** An address that no mailbox has; it would not be found, or not be text for Postgres. */
const NO_ADDRESS = /[\p{Cc}\p{Cs}]|^.{255}|^$/u;

export function showSignIn(
  context: MerchantContext,
  request: FastifyRequest,
  reply: FastifyReply,
  place: SignInPlace,
  message: SignInMessage = {},
): FastifyReply {
  const locale = localeOf(request.headers["accept-language"]);
  const page = signInView(
    {
      app: place.app,
      action: place.action,
      declinePath: place.declinePath,
      token: tokenFor(context, request, reply, place.action),
      email: message.email ?? "",
      problem: message.problem?.(locale.texts.signIn) ?? null,
      done: message.done?.(locale.texts.signIn) ?? null,
    },
    locale,
  );
  return sendPage(reply, locale, page, { status: message.status ?? 200 });
}

/** Checks the posted form: a new session and on to the place's destination, or the form again with the reason. */
export async function signIn(
  context: MerchantContext,
  request: FastifyRequest,
  reply: FastifyReply,
  place: SignInPlace,
): Promise<FastifyReply> {
  const email = field(request.body, "email").trim();
  const refuse = (status: number, problem: NonNullable<SignInMessage["problem"]>) =>
    showSignIn(context, request, reply, place, { status, email, problem });
  if (!hasToken(context, request, place.action)) return refuse(403, (texts) => texts.outOfDate);

  const device = context.cookies.device.read(request);
  const attempt = { email, network: networkOf(request.ip), device };
  const wait = await context.throttle.begin(attempt);
  if (wait !== null) {
    request.log.warn({ network: attempt.network, wait }, "sign-in throttled");
    reply.header("retry-after", wait);
    return refuse(429, (texts) => texts.tooManyAttempts(Math.ceil(wait / 60)));
  }
  const merchant = await authenticate(context, email, field(request.body, "password"));
  if (!merchant) {
    request.log.info({ network: attempt.network }, "sign-in refused");
    return refuse(422, (texts) => texts.wrong);
  }
  const knownDevice = device ?? randomSecret();
  await context.throttle.succeed({ ...attempt, device: knownDevice });
  await startSession(context, request, reply, merchant);
  context.cookies.device.set(reply, knownDevice);
  return redirectTo(reply, place.destination);
}

/** Takes as long for an account that doesn't exist as for a wrong password. */
async function authenticate(context: MerchantContext, email: string, password: string): Promise<Merchant | null> {
  const found = NO_ADDRESS.test(email)
    ? null
    : await within(DATABASE_DEADLINE_MS, findMerchantByEmail(context.sql, email));
  const right = await verifyPassword(found?.passwordHash ?? null, password.slice(0, 1024));
  return found && right ? found : null;
}

/** The id is new at each sign-in, and the one that the browser had before ends. */
async function startSession(
  context: MerchantContext,
  request: FastifyRequest,
  reply: FastifyReply,
  merchant: Merchant,
): Promise<void> {
  const before = context.cookies.session.read(request);
  if (before !== null) await context.sessions.close(before);
  context.cookies.session.set(reply, await context.sessions.open(merchant.id));
  request.log.info({ merchant: merchant.id }, "merchant signed in");
}

/**
 * Ends this browser's session, or all of the merchant's. Forms that were open stay valid: their tokens belong to the
 * browser, not to the session. What a form does is judged by the session at that time.
 */
export async function signOut(context: MerchantContext, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const id = context.cookies.session.read(request);
  if (id !== null) {
    const merchantId = await context.sessions.merchantOf(id);
    if (merchantId !== null && field(request.body, "where") === "everywhere")
      await context.sessions.closeAll(merchantId);
    await context.sessions.close(id);
    request.log.info({ merchant: merchantId }, "merchant signed out");
  }
  context.cookies.session.clear(reply);
}
