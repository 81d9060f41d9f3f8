import { createHmac, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { BrowserSecrets } from "./browser-secret.ts";

/**
 * Each form has a token, which proves that a page of ours sent it from this browser. It is derived from the browser's secret and the form's
 * purpose, not from the session: a form that was open during a new sign-in stays valid.
 */
export interface FormTokens {
  /** The token for a form that does `purpose`. */
  issue(reply: FastifyReply, purpose: string): string;
  isValid(request: FastifyRequest, purpose: string): boolean;
}

export function formTokens(browsers: BrowserSecrets): FormTokens {
  return {
    issue: (reply, purpose) => token(browsers.readOrCreate(reply), purpose),
    isValid(request, purpose) {
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
