import { recordAudit } from "@partner-connect/audit";
import type { Merchant } from "@partner-connect/directory";
import type { FastifyRequest } from "fastify";
import { beforeDeadline, merchantActor, originOf } from "../merchant-page/page-context.ts";
import { accountOf } from "./password/check-password.ts";
import type { SignInContext } from "./sign-in-context.ts";
import type { Throttled } from "./throttle/sign-in-throttle.ts";

/** Before the session begins: nobody is signed in without a record of it. */
export async function recordSignIn({ sql }: SignInContext, request: FastifyRequest, merchant: Merchant): Promise<void> {
  const event = { action: "merchant_sign_in", merchantId: merchant.id } as const;
  await beforeDeadline(recordAudit(sql, event, merchantActor(request, merchant)));
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
  if (!(await throttle.isNews(throttled))) return;
  try {
    const merchant = throttled.by === "network" ? null : await accountOf(sql, email);
    const event = { action: "sign_in_throttled", merchantId: merchant?.id, detail: { by: throttled.by } } as const;
    await beforeDeadline(recordAudit(sql, event, { name: "system", ...originOf(request) }));
  } catch (error) {
    await throttle.forgetNews(throttled);
    throw error;
  }
}
