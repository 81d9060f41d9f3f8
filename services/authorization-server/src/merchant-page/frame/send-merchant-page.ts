import { gzipSync } from "node:zlib";
import { factsOf, noteFacts } from "@partner-connect/service-runtime";
import type { Html } from "@partner-connect/service-runtime/html";
import type { FastifyReply } from "fastify";
import Negotiator from "negotiator";
import { type Locale, languageCookie, languageOf } from "../texts/locale.ts";
import type { AccountView } from "./account.view.ts";
import { pageFrame } from "./page-frame.ts";

/**
 * Headers of every merchant page. With `no-referrer`, browsers would send `Origin: null` with our own forms. No Cross-Origin-Opener-Policy:
 * a partner that opens us in a popup needs its opener.
 */
export const MERCHANT_HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "referrer-policy": "same-origin",
  "x-frame-options": "DENY",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

export interface MerchantPageOptions {
  readonly status?: number;
  /** Other origins that the answer to the page's form may redirect to. Browsers apply `form-action` to redirects too. */
  readonly formTargets?: readonly string[];
  /** The page's URL has a secret, which no other request must name, not even for our stylesheet. Default: false. */
  readonly hasSecretUrl?: boolean;
  readonly account?: AccountView | null;
}

/** Why a form was refused, where the feature that shows it again doesn't say more. */
const REASONS: Readonly<Record<number, string>> = {
  403: "form_out_of_date",
  409: "changed_meanwhile",
  410: "link_ended",
  422: "invalid_input",
  429: "throttled",
};

export function sendMerchantPage(
  reply: FastifyReply,
  page: (locale: Locale) => Html,
  options: MerchantPageOptions = {},
): FastifyReply {
  const { request, server } = reply;
  const reason = REASONS[options.status ?? 200];
  if (reason && !factsOf(request).reason) noteFacts(request, { reason });
  const chose = languageCookie(server.pageSettings.publicBaseUrl).read(request);
  const locale = {
    ...languageOf(request.headers["accept-language"], chose),
    frame: pageFrame(reply, options.account ?? null),
  };
  return reply
    .code(options.status ?? 200)
    .headers(MERCHANT_HEADERS)
    .headers({
      "content-security-policy": contentSecurityPolicy(options.formTargets ?? []),
      "content-type": "text/html; charset=utf-8",
      "content-language": locale.texts.language,
      vary: "accept-language, accept-encoding, cookie",
      // Browsers then name the host alone; they still send `Origin` with our forms.
      ...(options.hasSecretUrl && { "referrer-policy": "strict-origin" }),
    })
    .send(compressed(reply, page(locale).toString()));
}

/** Redirects to another page of ours. The path is relative, so the merchant stays on the host where the flow began. */
export function redirectTo(reply: FastifyReply, path: string): FastifyReply {
  return reply.code(303).headers(MERCHANT_HEADERS).header("location", path).send();
}

/** Browsers load our stylesheet and icon and nothing else, run nothing, and send forms to us alone. */
function contentSecurityPolicy(formTargets: readonly string[]): string {
  const formAction = ["'self'", ...formTargets].join(" ");
  return `default-src 'none'; style-src 'self'; img-src 'self'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`;
}

/** Characters of a page that is worth compressing, such as that of a merchant with many shops. */
const LARGE = 16_384;

/**
 * Compression can disclose secrets only to an attacker whose text is in the page and who can request it with its cookies: neither is so
 * here.
 */
function compressed(reply: FastifyReply, page: string): string | Buffer {
  if (page.length < LARGE || new Negotiator(reply.request).encodings(["gzip"]).length === 0) return page;
  reply.header("content-encoding", "gzip");
  return gzipSync(page);
}
