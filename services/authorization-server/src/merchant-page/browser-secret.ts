import type { FastifyReply, FastifyRequest } from "fastify";
import { type MerchantCookies, randomSecret } from "./merchant-cookie.ts";

/** The secret of this browser; one seen for the first time gets its own with the answer. */
export function browserSecret(cookies: MerchantCookies, request: FastifyRequest, reply: FastifyReply): string {
  const known = cookies.browser.read(request) ?? freshSecrets.get(request);
  if (known !== undefined) return known;
  const secret = randomSecret();
  freshSecrets.set(request, secret);
  cookies.browser.set(reply, secret);
  return secret;
}

/** Given out in the answer to this request, so not among its cookies. */
const freshSecrets = new WeakMap<FastifyRequest, string>();
