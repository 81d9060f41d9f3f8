import { normalizeIP } from "@fastify/rate-limit";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import { randomSecret } from "../pages/merchant-cookie.ts";
import type { Confirmation, DeviceNews } from "../pages/merchant-sign-in.ts";
import { checkPassword } from "./check-password.ts";
import { recordThrottling } from "./record-sign-in.ts";
import type { SignInContext } from "./sign-in-context.ts";

/** Judges an email and a password; every guess counts for the throttle. @throws {HttpError} 503 while too many passwords are hashed */
export async function confirm(
  context: SignInContext,
  reply: FastifyReply,
  email: string,
  password: string,
): Promise<Confirmation> {
  const { request } = reply;
  return await context.hashing(request, async () => {
    const attempt = attemptOf(context, request, email);
    noteFacts(request, { account: context.accountHash(email) });
    const throttled = await context.throttle.begin(attempt);
    if (throttled !== null) {
      const { waitSeconds, by } = throttled;
      request.log.warn({ network: attempt.network, by, wait: waitSeconds }, "sign-in throttled");
      noteFacts(request, { reason: "throttled", limit: "sign_in" });
      await recordThrottling(context, request, email, throttled);
      return { outcome: "throttled", waitSeconds };
    }
    const merchant = await checkPassword(context.sql, email, password);
    if (!merchant) {
      noteFacts(request, { reason: "wrong_password" });
      return { outcome: "wrong" };
    }
    if (merchant.status === "disabled") {
      noteFacts(request, { reason: "account_disabled", merchantId: merchant.id });
      return { outcome: "paused" };
    }
    return { outcome: "right", merchant, device: await forgiveGuesses(context, reply, email) };
  });
}

/** Takes the attempts from here back, and remembers the browser as one of this account's. Returns what it was before. */
export async function forgiveGuesses(context: SignInContext, reply: FastifyReply, email: string): Promise<DeviceNews> {
  const attempt = attemptOf(context, reply.request, email);
  const device = attempt.device ?? randomSecret();
  const news = await context.throttle.succeed({ ...attempt, device });
  context.deviceCookie.set(reply, device);
  return news;
}

function attemptOf({ deviceCookie }: SignInContext, request: FastifyRequest, email: string) {
  return { email, network: normalizeIP(request.ip), device: deviceCookie.read(request) };
}
