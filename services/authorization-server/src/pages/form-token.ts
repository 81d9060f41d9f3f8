import { createHmac, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { merchantCookie, randomSecret } from "./merchant-cookie.ts";

export type BrowserSecrets = ReturnType<typeof browserSecrets>;

/** The secret of each browser, in a cookie. Form tokens and sealed requests are made with it; it outlives sign-ins. */
export function browserSecrets(publicBaseUrl: string) {
  const cookie = merchantCookie(publicBaseUrl, "merchant_browser");
  /** Secrets that are sent with the answer to this request, so they are not among its cookies. */
  const created = new WeakMap<FastifyRequest, string>();
  return {
    read: cookie.read,
    /** A browser that has none gets one with the answer. */
    readOrCreate(reply: FastifyReply): string {
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

export type FormTokens = ReturnType<typeof formTokens>;

/**
 * Each form has a token, which proves that a page of ours sent it from this browser. It is derived from the browser's secret and the form's
 * purpose, not from the session: a form that was open during a new sign-in stays valid.
 */
export function formTokens(browsers: BrowserSecrets) {
  return {
    issue: (reply: FastifyReply, purpose: string): string => token(browsers.readOrCreate(reply), purpose),
    /** Whether the posted form has the token that this browser was given for `purpose`. */
    isValid(request: FastifyRequest, purpose: string): boolean {
      const secret = browsers.read(request);
      return secret !== null && isEqual(formField(request.body, "token"), token(secret, purpose));
    },
  };
}

function token(browserSecret: string, purpose: string): string {
  return createHmac("sha256", browserSecret).update(purpose).digest("base64url");
}

function isEqual(presented: string, expected: string): boolean {
  const [actual, wanted] = [Buffer.from(presented), Buffer.from(expected)];
  return actual.length === wanted.length && timingSafeEqual(actual, wanted);
}

/** The value of one field of a posted form; the empty string if the field is missing or was sent more than once. */
export function formField(body: unknown, name: string): string {
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, name)) return "";
  const value = (body as Record<string, unknown>)[name];
  return typeof value === "string" ? value : "";
}
