import { gzipSync } from "node:zlib";
import { quality } from "@partner-connect/service-runtime";
import type { FastifyReply } from "fastify";
import type { Html } from "./html.ts";
import type { Locale } from "./texts/locale.ts";

/**
 * Headers of everything that the merchant pages answer. Referrer-Policy: with `no-referrer` browsers would send
 * `Origin: null` with our own forms. No Cross-Origin-Opener-Policy: a partner that opened us in a popup needs its
 * opener when the merchant comes back.
 */
export const MERCHANT_HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "referrer-policy": "same-origin",
  "x-frame-options": "DENY",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/**
 * Nothing but our own stylesheet and icon is loaded, nothing runs, and forms go nowhere else: `formTargets` are the
 * further places that the answer to a form may redirect to, because browsers apply `form-action` to redirects too.
 */
function contentSecurityPolicy(formTargets: readonly string[]): string {
  const formAction = ["'self'", ...formTargets].join(" ");
  return `default-src 'none'; style-src 'self'; img-src 'self'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`;
}

export interface PageOptions {
  readonly status?: number;
  readonly formTargets?: readonly string[];
}

export function sendPage(reply: FastifyReply, locale: Locale, page: Html, options: PageOptions = {}): FastifyReply {
  return reply
    .code(options.status ?? 200)
    .headers(MERCHANT_HEADERS)
    .headers({
      "content-security-policy": contentSecurityPolicy(options.formTargets ?? []),
      "content-type": "text/html; charset=utf-8",
      "content-language": locale.texts.language,
      vary: "accept-language, accept-encoding",
    })
    .send(compressed(reply, page.toString()));
}

/** Bytes from which compressing is worth its time: a merchant with many shops. */
const LARGE = 16_384;

/**
 * Secrets in compressed pages can be guessed where an attacker's text stands in the same page and the attacker's own
 * page can ask for it with the merchant's cookies; neither is so here.
 */
function compressed(reply: FastifyReply, page: string): string | Buffer {
  const accepted = quality(reply.request.headers["accept-encoding"]?.toString() ?? "", "gzip");
  if (page.length < LARGE || !accepted) return page;
  reply.header("content-encoding", "gzip");
  return gzipSync(page);
}

/** To another of our own pages. Relative, so that the merchant stays on the host where the flow began. */
export function redirectTo(reply: FastifyReply, path: string): FastifyReply {
  return reply.code(303).headers(MERCHANT_HEADERS).header("location", path).send();
}
