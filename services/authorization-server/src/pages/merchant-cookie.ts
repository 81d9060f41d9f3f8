import { randomBytes } from "node:crypto";
import type { CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";

export type MerchantCookie = ReturnType<typeof merchantCookie>;

/** 256 random bits, base64url. */
export function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

interface MerchantCookieOptions {
  /** Default: until the browser is closed. */
  readonly maxAgeSeconds?: number;
  /** Default: that of a {@link randomSecret}. */
  readonly form?: RegExp;
}

const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** A cookie; what has not its form reads as null. Host-only. Over TLS its name has the prefix `__Host-`, so that no other host of the domain can set it. */
export function merchantCookie(publicBaseUrl: string, name: string, options: MerchantCookieOptions = {}) {
  const secure = publicBaseUrl.startsWith("https:");
  const fullName = secure ? `__Host-${name}` : name;
  const attributes: CookieSerializeOptions = { path: "/", httpOnly: true, sameSite: "lax", secure };
  const lasting = options.maxAgeSeconds === undefined ? {} : { maxAge: options.maxAgeSeconds };
  return {
    read(request: FastifyRequest): string | null {
      const value = request.cookies ? request.cookies[fullName] : unparsed(request, fullName);
      return value !== undefined && (options.form ?? SECRET).test(value) ? value : null;
    },
    set: (reply: FastifyReply, value: string) => void reply.setCookie(fullName, value, { ...attributes, ...lasting }),
    clear: (reply: FastifyReply) => void reply.clearCookie(fullName, attributes),
  };
}

/** Where the plugin that parses cookies is not registered: a path that no route has is answered with a page too. */
function unparsed({ headers }: FastifyRequest, name: string): string | undefined {
  const cookies = headers.cookie?.split(/; */) ?? [];
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
}
