import { recordAudit } from "@partner-connect/audit";
import { transaction } from "@partner-connect/database";
import type { MerchantAccount } from "@partner-connect/directory";
import { queueMail } from "@partner-connect/mail";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { DeviceNews } from "../pages/merchant-sign-in.ts";
import { merchantActor, originOf } from "../pages/page-context.ts";
import { languageFor } from "../pages/send-merchant-page.ts";
import { accountOf } from "./check-password.ts";
import { deviceName } from "./device-name.ts";
import type { SignInContext } from "./sign-in-context.ts";
import type { Throttled } from "./throttle/sign-in-throttle.ts";

/**
 * Before the session begins: nobody is signed in without a record of it. From a new device the merchant gets a mail, but not at the first
 * sign-in to the account. Mails to her are in the language of this page from then on.
 * `by`: what proved who it is, if it was no password.
 */
export async function recordSignIn(
  { sql }: SignInContext,
  reply: FastifyReply,
  { id: merchantId, language: before }: MerchantAccount,
  device: DeviceNews,
  by?: "openid",
): Promise<void> {
  const { request } = reply;
  const { language } = languageFor(reply).texts;
  const event = { action: "merchant_sign_in", merchantId, detail: by === undefined ? {} : { by } } as const;
  const work = transaction(sql, async (tx) => {
    if (language !== before) await tx`UPDATE directory.merchants SET language = ${language} WHERE id = ${merchantId}`;
    await recordAudit(tx, event, merchantActor(request, { id: merchantId }));
    const isFirst = device === "first" && before === null;
    if (device !== "known" && !isFirst) {
      const name = deviceName(request.headers["user-agent"]);
      const about = { ...(name !== null && { device: name }), address: request.ip };
      await queueMail(tx, { kind: "new_device", merchantId, about });
    }
  });
  await work;
}

/**
 * Records that throttling begins; not each attempt, so that guessing can't fill the log. An email that is nobody's is left out: it may be a
 * password.
 */
export async function recordThrottling(
  { sql, throttle }: SignInContext,
  request: FastifyRequest,
  email: string,
  throttled: Throttled,
): Promise<void> {
  if (!throttled.isFirst) return;
  try {
    const merchant = throttled.by === "network" ? null : await accountOf(sql, email);
    const event = { action: "sign_in_throttled", merchantId: merchant?.id, detail: { by: throttled.by } } as const;
    await recordAudit(sql, event, { name: "system", ...originOf(request) });
  } catch (error) {
    await throttle.repeatFirst(throttled);
    throw error;
  }
}
