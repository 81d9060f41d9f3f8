import { hashCredential, type MerchantAccount } from "@partner-connect/directory";
import type { Redis } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { BrowserSecrets } from "../../pages/form-token.ts";
import type { DeviceNews } from "../../pages/merchant-sign-in.ts";

/** The time between the right password and the passkey. */
const LIFE_SECONDS = 600;

/** A sign-in whose password was right, and whose passkey has not been asked for yet. */
interface SecondStep {
  readonly merchantId: string;
  /** The merchant's `sessionEpoch` as it was when the password was checked. */
  readonly accountEpoch: number;
  /** What the browser was before the password was checked. */
  readonly device: DeviceNews;
}

export type SecondSteps = ReturnType<typeof secondSteps>;

/** The sign-in that waits in each browser, in Redis under a hash: the browser's owner could make anything that travels with the browser. */
export function secondSteps(redis: Redis, browsers: BrowserSecrets) {
  const keyOf = (secret: string) => `second_step:${hashCredential(secret).toString("base64url")}`;
  return {
    async begin(reply: FastifyReply, merchant: MerchantAccount, device: DeviceNews): Promise<void> {
      const step: SecondStep = { merchantId: merchant.id, accountEpoch: merchant.sessionEpoch, device };
      await redis.set(keyOf(browsers.readOrCreate(reply)), JSON.stringify(step), "EX", LIFE_SECONDS);
    },
    async find(request: FastifyRequest): Promise<SecondStep | null> {
      const secret = browsers.read(request);
      const stored = secret === null ? null : await redis.get(keyOf(secret));
      return stored === null ? null : (JSON.parse(stored) as SecondStep);
    },
    async end(request: FastifyRequest): Promise<void> {
      const secret = browsers.read(request);
      if (secret !== null) await redis.del(keyOf(secret));
    },
  };
}
