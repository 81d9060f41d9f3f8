import { hashCredential } from "@partner-connect/directory";
import type { Redis } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { BrowserSecrets } from "../../pages/form-token.ts";
import { randomSecret } from "../../pages/merchant-cookie.ts";

/** How long the merchant has for an answer. Then the page is opened again. */
const LIFE_SECONDS = 300;

export type Challenges = ReturnType<typeof challenges>;

/** What authenticators sign. Each challenge is for one answer, of the browser that it was made for, and for one purpose. */
export function challenges(redis: Redis, browsers: BrowserSecrets) {
  const keyOf = (secret: string, purpose: string, challenge: string) =>
    `passkey:challenge:${hashCredential(JSON.stringify([secret, purpose, challenge])).toString("base64url")}`;
  return {
    /** 256 bits, base64url. */
    async issue(reply: FastifyReply, purpose: string): Promise<string> {
      const challenge = randomSecret();
      await redis.set(keyOf(browsers.readOrCreate(reply), purpose, challenge), "", "EX", LIFE_SECONDS);
      return challenge;
    },
    /** True for one answer alone, however many come at once. */
    async use(request: FastifyRequest, purpose: string, challenge: string): Promise<boolean> {
      const secret = browsers.read(request);
      return secret !== null && (await redis.del(keyOf(secret, purpose, challenge))) === 1;
    },
  };
}
