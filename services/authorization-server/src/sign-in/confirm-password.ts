import { normalizeIP } from "@fastify/rate-limit";
import {
  findMerchantByEmail,
  type MerchantAccount,
  verifyPassword,
} from "@partner-connect/directory";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import { merchantCookie } from "../browser/cookie.ts";
import { DEVICE_SECONDS, type DeviceStatus, type SignInSource } from "./known-devices.ts";
import { recordThrottling } from "./record-sign-in.ts";

export type Confirmation =
  | { readonly outcome: "right"; readonly merchant: MerchantAccount }
  | { readonly outcome: "wrong" }
  /** The password is right, but the account is disabled. */
  | { readonly outcome: "paused" }
  | { readonly outcome: "throttled"; readonly waitSeconds: number };

/** A longer password is cut to this length. The sign-in form's field takes no more. */
const MAX_PASSWORD_LENGTH = 1024;

/**
 * Checks an email and a password. The attempt counts for the throttle until {@link recordSuccess},
 * except after a fault.
 * @throws {HttpError} 503 while too many passwords are being hashed
 */
export async function confirmPassword(
  reply: FastifyReply,
  email: string,
  password: string,
): Promise<Confirmation> {
  const { request, server } = reply;
  const { hashing, throttle } = server.signIn;
  return await hashing(request, async () => {
    const attempt = attemptOf(request, email);
    const throttled = await throttle.begin(attempt);
    if (throttled !== null) {
      const { waitSeconds, by } = throttled;
      request.log.warn({ network: attempt.network, by, wait: waitSeconds }, "sign-in throttled");
      noteFacts(request, { reason: "throttled", limit: "sign_in" });
      await recordThrottling(request, email, throttled);
      return { outcome: "throttled", waitSeconds };
    }
    return await checkCredentials(request, email, password).catch(async (error) => {
      await throttle.takeBack(attempt);
      throw error;
    });
  });
}

async function checkCredentials(
  request: FastifyRequest,
  email: string,
  password: string,
): Promise<Confirmation> {
  const merchant = await findMerchantByEmail(request.server.pagesSql, email);
  // An unknown email takes as long as a wrong password.
  const isRight = await verifyPassword(
    merchant?.passwordHash ?? null,
    password.slice(0, MAX_PASSWORD_LENGTH),
  );
  if (!merchant || !isRight) {
    noteFacts(request, { reason: "wrong_password", merchantId: merchant?.id });
    return { outcome: "wrong" };
  }
  if (merchant.status === "disabled") {
    noteFacts(request, { reason: "account_disabled", merchantId: merchant.id });
    return { outcome: "paused" };
  }
  return { outcome: "right", merchant };
}

/** The cookie of a device from which a merchant has signed in before. */
export const deviceCookie = merchantCookie("merchant_device", { maxAgeSeconds: DEVICE_SECONDS });

/**
 * Resets the counted attempts from this browser, and remembers the browser for the account. Call it
 * once no passkey is needed any more. `record`: records a sign-in; if it fails, the browser is still
 * new at the next sign-in.
 */
export async function recordSuccess(
  reply: FastifyReply,
  email: string,
  record?: (device: DeviceStatus) => Promise<void>,
): Promise<void> {
  const attempt = attemptOf(reply.request, email);
  const device = deviceCookie.readOrNew(reply);
  const { throttle, sources } = reply.server.signIn;
  await throttle.succeed({ ...attempt, device }, record);
  await sources.remember({ network: attempt.network, device });
  deviceCookie.set(reply, device);
}

export function sourceOf(request: FastifyRequest): SignInSource {
  return { network: normalizeIP(request.ip), device: deviceCookie.read(request) };
}

function attemptOf(request: FastifyRequest, email: string) {
  return { email, ...sourceOf(request) };
}
