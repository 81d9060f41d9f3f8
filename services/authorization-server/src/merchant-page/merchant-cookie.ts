import { randomBytes } from "node:crypto";
import type { CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";

/** One of the cookies of the merchant pages: a random value of 256 bits, or nothing. */
export interface MerchantCookie {
  read(request: FastifyRequest): string | null;
  set(reply: FastifyReply, value: string): void;
  clear(reply: FastifyReply): void;
}

export interface MerchantCookies {
  /** The merchant's session. */
  readonly session: MerchantCookie;
  /** The secret that form tokens are made from; it outlives sign-ins. */
  readonly browser: MerchantCookie;
  /** Marks a device from which somebody has signed in before. */
  readonly device: MerchantCookie;
}

const DEVICE_SECONDS = 180 * 24 * 3600;

/** 256 random bits, base64url. */
export function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Host-only; over TLS also with the prefix that keeps other hosts of the domain from planting one. */
export function merchantCookies(publicBaseUrl: string): MerchantCookies {
  const secure = publicBaseUrl.startsWith("https:");
  const attributes: CookieSerializeOptions = { path: "/", httpOnly: true, sameSite: "lax", secure };
  const cookie = (name: string, extra: CookieSerializeOptions = {}): MerchantCookie => {
    const fullName = secure ? `__Host-${name}` : name;
    return {
      read: (request) => {
        const value = request.cookies[fullName];
        return value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : null;
      },
      set: (reply, value) => void reply.setCookie(fullName, value, { ...attributes, ...extra }),
      clear: (reply) => void reply.clearCookie(fullName, attributes),
    };
  };
  return {
    session: cookie("merchant_session"),
    browser: cookie("merchant_browser"),
    device: cookie("merchant_device", { maxAge: DEVICE_SECONDS }),
  };
}
