import type { FastifyReply, FastifyRequest } from "fastify";
import { merchantCookie, randomSecret } from "./merchant-cookie.ts";

/** The secret of each browser, in a cookie. Form tokens and sealed requests are made with it; it outlives sign-ins. */
export interface BrowserSecrets {
  read(request: FastifyRequest): string | null;
  /** A browser that has none gets one with the answer. */
  readOrCreate(reply: FastifyReply): string;
}

export function browserSecrets(publicBaseUrl: string): BrowserSecrets {
  const cookie = merchantCookie(publicBaseUrl, "merchant_browser");
  /** Secrets that are sent with the answer to this request, so they are not among its cookies. */
  const created = new WeakMap<FastifyRequest, string>();
  return {
    read: cookie.read,
    readOrCreate(reply) {
      const { request } = reply;
      const known = cookie.read(request) ?? created.get(request);
      if (known !== undefined) return known;
      const secret = randomSecret();
      created.set(request, secret);
      cookie.set(reply, secret);
      return secret;
    },
  };
}
