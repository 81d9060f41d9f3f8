import { recordAudit } from "@partner-connect/audit";
import { transaction } from "@partner-connect/database";
import { findMerchantByEmail, type MerchantAccount, storeSignIn } from "@partner-connect/directory";
import { queueMail } from "@partner-connect/mail";
import type { FastifyReply, FastifyRequest } from "fastify";
import { merchantActor, originOf } from "../actor.ts";
import { languageFor } from "../browser/locale.ts";
import type { DeviceStatus } from "./known-devices.ts";
import type { Throttled } from "./sign-in-throttle.ts";

/**
 * Records a sign-in. Call it before the session starts, because every sign-in must be recorded. A
 * mail reports a new device, unless it is the account's first. Later mails use the language of this
 * page. `by`: how the merchant signed in, if not by password.
 */
export async function recordSignIn(
  reply: FastifyReply,
  merchant: MerchantAccount,
  device: DeviceStatus,
  by?: "openid",
): Promise<void> {
  const { request, server } = reply;
  const { language } = languageFor(reply).texts;
  const detail = by === undefined ? {} : { by };
  await transaction(server.pagesSql, async (tx) => {
    await storeSignIn(tx, merchant, language, detail, merchantActor(request, merchant));
    const isFirst = device === "first" && merchant.language === null;
    if (device !== "known" && !isFirst) {
      const about = deviceAndAddress(request);
      await queueMail(tx, { kind: "new_device", merchantId: merchant.id, about });
    }
  });
}

/**
 * The Redis key that limits the mail about a password without a passkey to one a day. It is deleted
 * when the passkey is used, and the worker then drops the mail.
 */
export const secondStepMailKey = (merchantId: string) => `second_step_mail:${merchantId}`;

/**
 * Records that the password was right and a passkey must follow. After `waitSeconds` a mail reports
 * this, at most once a day, unless one of the merchant's passkeys has been used by then.
 */
export async function recordSecondStep(
  request: FastifyRequest,
  merchantId: string,
  waitSeconds: number,
): Promise<void> {
  const { pagesSql, redis } = request.server;
  const key = secondStepMailKey(merchantId);
  const isDue = await redis.set(key, "", "EX", 24 * 3600, "NX");
  await transaction(pagesSql, async (tx) => {
    const event = { action: "second_step_ask", merchantId } as const;
    await recordAudit(tx, event, { name: "system", ...originOf(request) });
    const about = deviceAndAddress(request);
    const mail = { kind: "password_entered", merchantId, about } as const;
    if (isDue) await queueMail(tx, mail, waitSeconds);
  }).catch(async (error) => {
    if (isDue) await redis.del(key);
    throw error;
  });
}

/** The device and network address of a request, for a mail. */
export function deviceAndAddress({ headers, ip }: FastifyRequest) {
  const device = deviceName(headers["user-agent"]);
  return { ...(device !== null && { device }), address: ip };
}

/**
 * Records the start of throttling, not each attempt, so that guesses can't fill the log. An unknown
 * email is left out, because it may be a password.
 */
export async function recordThrottling(
  request: FastifyRequest,
  email: string,
  { by, isFirst }: Throttled,
): Promise<void> {
  const { pagesSql } = request.server;
  if (!isFirst) return;
  const merchant = by === "network" ? null : await findMerchantByEmail(pagesSql, email);
  const event = { action: "sign_in_throttled", merchantId: merchant?.id, detail: { by } } as const;
  await recordAudit(pagesSql, event, { name: "system", ...originOf(request) });
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b/, "Mac"],
  [/\bLinux\b/, "Linux"],
];

/**
 * A browser's common name, such as 'Firefox, Linux', from its `user-agent`. Null if the header has
 * none of the names that we know; no part of the header is shown verbatim.
 */
function deviceName(userAgent: string | undefined): string | null {
  const nameIn = (kinds: typeof BROWSERS) =>
    kinds.find(([form]) => form.test(userAgent ?? ""))?.[1];
  const parts = [nameIn(BROWSERS), nameIn(SYSTEMS)].filter((name) => name !== undefined);
  return parts.length === 0 ? null : parts.join(", ");
}
