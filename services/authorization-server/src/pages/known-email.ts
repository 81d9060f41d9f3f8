import type { FastifyReply, FastifyRequest } from "fastify";
import { merchantCookie } from "./merchant-cookie.ts";
import type { SealedForBrowser } from "./sealed-for-browser.ts";

export type KnownEmail = ReturnType<typeof knownEmail>;

const PURPOSE = "known email";

const DAY_SECONDS = 24 * 3600;

/** RFC 5321, as the form's field allows it. */
const MAX_EMAIL = 254;

/** The email that was typed or proved last in this browser, for the next sign-in to fill in: until the browser is closed, or who it is signs out. */
export function knownEmail(publicBaseUrl: string, sealed: SealedForBrowser) {
  const cookie = merchantCookie(publicBaseUrl, "merchant_email", { form: /^[\w-]+$/ });
  return {
    read: (request: FastifyRequest): string | null => sealed.open(request, PURPOSE, cookie.read(request), DAY_SECONDS),
    set(reply: FastifyReply, email: string): void {
      if (email !== "" && email.length <= MAX_EMAIL) cookie.set(reply, sealed.seal(reply, PURPOSE, email));
    },
    clear: cookie.clear,
  };
}
