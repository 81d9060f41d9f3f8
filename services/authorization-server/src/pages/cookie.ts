import { randomBytes } from "node:crypto";
import type { CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** 256 random bits, base64url. */
export function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

interface CookieOptions {
  /** Default: until the browser is closed. */
  readonly maxAgeSeconds?: number;
  /** Default: that of a {@link randomSecret}. */
  readonly form?: RegExp;
}

const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** A cookie; what has not its form reads as null. Host-only. Over TLS its name has the prefix `__Host-`, so that no other host of the domain can set it. */
export function merchantCookie(name: string, { maxAgeSeconds, form = SECRET }: CookieOptions = {}) {
  const isSecure = ({ config }: FastifyInstance) => config.tokens.issuer.startsWith("https:");
  const nameAt = (server: FastifyInstance) => (isSecure(server) ? `__Host-${name}` : name);
  const attributes = (server: FastifyInstance): CookieSerializeOptions => ({
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: isSecure(server),
  });
  return {
    read(request: FastifyRequest): string | null {
      const fullName = nameAt(request.server);
      const value = request.cookies ? request.cookies[fullName] : unparsed(request, fullName);
      return value !== undefined && form.test(value) ? value : null;
    },
    set(reply: FastifyReply, value: string): void {
      const lasting = maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds };
      reply.setCookie(nameAt(reply.server), value, { ...attributes(reply.server), ...lasting });
    },
    clear(reply: FastifyReply): void {
      reply.clearCookie(nameAt(reply.server), attributes(reply.server));
    },
  };
}

/** Where the plugin that parses cookies is not registered: a path that no route has is answered with a page too. */
function unparsed({ headers }: FastifyRequest, name: string): string | undefined {
  const cookies = headers.cookie?.split(/; */) ?? [];
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
}
