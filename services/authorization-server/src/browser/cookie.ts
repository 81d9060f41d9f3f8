import { randomBytes } from "node:crypto";
import type { CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** A secret of 256 random bits, base64url. */
export function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

interface CookieOptions {
  /** Default: the browser deletes the cookie when it is closed. */
  readonly maxAgeSeconds?: number;
  /** The pattern of valid values. Default: a {@link randomSecret}. */
  readonly form?: RegExp;
}

const SECRET = /^[A-Za-z0-9_-]{43}$/;

/**
 * A cookie for this host only. A value that does not match `form` reads as null. Over TLS the name
 * has the prefix `__Host-`, so that no other host of the domain can set the cookie.
 */
export function merchantCookie(name: string, { maxAgeSeconds, form = SECRET }: CookieOptions = {}) {
  const isSecure = ({ config }: FastifyInstance) => config.tokens.issuer.startsWith("https:");
  const nameAt = (server: FastifyInstance) => (isSecure(server) ? `__Host-${name}` : name);
  const attributes = (server: FastifyInstance): CookieSerializeOptions => ({
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: isSecure(server),
  });
  /** Secrets set by the response to a request, which the request's cookies don't have yet. */
  const made = new WeakMap<FastifyRequest, string>();
  const cookie = {
    read(request: FastifyRequest): string | null {
      const fullName = nameAt(request.server);
      const value = request.cookies ? request.cookies[fullName] : parseCookie(request, fullName);
      return value !== undefined && form.test(value) ? value : null;
    },
    set(reply: FastifyReply, value: string): void {
      const lasting = maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds };
      reply.setCookie(nameAt(reply.server), value, { ...attributes(reply.server), ...lasting });
    },
    /** The browser's secret. If the browser has none, the response sets one. */
    readOrNew(reply: FastifyReply): string {
      const known = cookie.read(reply.request) ?? made.get(reply.request);
      if (known !== undefined) return known;
      const secret = randomSecret();
      made.set(reply.request, secret);
      cookie.set(reply, secret);
      return secret;
    },
    clear(reply: FastifyReply): void {
      reply.clearCookie(nameAt(reply.server), attributes(reply.server));
    },
  };
  return cookie;
}

/** True if the request has a cookie of our pages. False if the browser is new or blocks cookies. */
export function sendsOurCookies({ cookies }: FastifyRequest): boolean {
  return Object.keys(cookies).some((name) => /^(?:__Host-)?merchant_/.test(name));
}

/**
 * Secrets of one kind, each in a separate cookie, so that none replaces another. A secret is read
 * by the id with which it was added. A browser keeps the newest `most`.
 */
export function merchantCookies(prefix: string, most: number, maxAgeSeconds: number) {
  const namesOf = ({ cookies }: FastifyRequest): string[] =>
    Object.keys(cookies)
      .map((name) => name.replace(/^__Host-/, ""))
      .filter((name) => name.startsWith(prefix))
      .sort();
  return {
    read: (request: FastifyRequest, id: string): string | null =>
      merchantCookie(prefix + id).read(request),
    add(reply: FastifyReply) {
      const names = namesOf(reply.request);
      for (const oldest of names.slice(0, Math.max(0, names.length + 1 - most)))
        merchantCookie(oldest).clear(reply);
      const secret = randomSecret();
      const id = `${Date.now().toString(36)}_${randomBytes(4).toString("hex")}`;
      merchantCookie(prefix + id, { maxAgeSeconds }).set(reply, secret);
      return { id, secret };
    },
  };
}

/** Reads a cookie for the page of an unknown path, for which no plugin parses cookies. */
function parseCookie({ headers }: FastifyRequest, name: string): string | undefined {
  const cookies = headers.cookie?.split(/; */) ?? [];
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
}
