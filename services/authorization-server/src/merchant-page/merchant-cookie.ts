import { randomBytes } from "node:crypto";
import type { CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";

/** A cookie of the merchant pages. Its value is a {@link randomSecret}; anything else reads as null. */
export interface MerchantCookie {
  read(request: FastifyRequest): string | null;
  set(reply: FastifyReply, value: string): void;
  clear(reply: FastifyReply): void;
}

/** 256 random bits, base64url. */
export function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Host-only. Over TLS its name has the prefix `__Host-`, so that no other host of the domain can set it. */
export function merchantCookie(
  publicBaseUrl: string,
  name: string,
  options: { readonly maxAgeSeconds?: number } = {},
): MerchantCookie {
  const secure = publicBaseUrl.startsWith("https:");
  const fullName = secure ? `__Host-${name}` : name;
  const attributes: CookieSerializeOptions = { path: "/", httpOnly: true, sameSite: "lax", secure };
  const lasting = options.maxAgeSeconds === undefined ? {} : { maxAge: options.maxAgeSeconds };
  return {
    read: (request) => {
      const value = request.cookies[fullName];
      return value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : null;
    },
    set: (reply, value) => void reply.setCookie(fullName, value, { ...attributes, ...lasting }),
    clear: (reply) => void reply.clearCookie(fullName, attributes),
  };
}
