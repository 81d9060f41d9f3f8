import { factsOf, noteFacts } from "@partner-connect/service-runtime";
import type { Html } from "@partner-connect/service-runtime/html";
import type { FastifyReply } from "fastify";
import { languageFor } from "../browser/locale.ts";
import { type FrameOptions, type Locale, pageFrame } from "./frame.ts";

/**
 * Headers of every merchant page. `no-referrer` would make browsers send `Origin: null` with our
 * own forms. Without Cross-Origin-Opener-Policy a partner's popup keeps its opener.
 */
export const MERCHANT_HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "referrer-policy": "same-origin",
  "x-frame-options": "DENY",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

interface PageOptions extends FrameOptions {
  readonly status?: number;
  /**
   * The page's form leads to a redirect to the partner, which may redirect anywhere, such as to an
   * app. Browsers apply `form-action` to all these redirects, so such a page doesn't send it.
   */
  readonly leadsToPartner?: boolean;
  /**
   * The page's URL contains a secret, which must not be in any other request, not even in the one
   * for our stylesheet. Default: false.
   */
  readonly hasSecretUrl?: boolean;
}

/** A refused form's reason by status, for features that give none when they show it again. */
const REASONS: Readonly<Record<number, string>> = {
  403: "form_out_of_date",
  409: "changed_meanwhile",
  410: "link_ended",
  422: "invalid_input",
  429: "throttled",
};

export function sendPage(
  reply: FastifyReply,
  page: (locale: Locale) => Html,
  options: PageOptions = {},
): FastifyReply {
  const { request } = reply;
  reply.code(options.status ?? 200);
  const reason = REASONS[options.status ?? 200];
  if (reason && !factsOf(request).reason) noteFacts(request, { reason });
  const frame = pageFrame(reply, options);
  const locale = { ...languageFor(reply), frame };
  return reply
    .headers(MERCHANT_HEADERS)
    .headers({
      "content-security-policy": contentSecurityPolicy(options),
      "content-type": "text/html; charset=utf-8",
      "content-language": locale.texts.language,
      vary: "accept-language, cookie",
      // Browsers then send only the origin as `Referer`; they still send `Origin` with our forms.
      ...(options.hasSecretUrl && { "referrer-policy": "strict-origin" }),
    })
    .send(page(locale).toString());
}

/** Redirects to a page of ours, by a relative path if the merchant stays on this host. */
export function redirectTo(reply: FastifyReply, path: string): FastifyReply {
  return reply.code(303).headers(MERCHANT_HEADERS).header("location", path).send();
}

/** Browsers load only our styles, images and script, and by default send forms only to us. */
function contentSecurityPolicy({ leadsToPartner = false, script }: PageOptions): string {
  const formAction = leadsToPartner ? "" : " form-action 'self';";
  const scripts = script ? " script-src 'self';" : "";
  return `default-src 'none';${scripts} style-src 'self'; img-src 'self';${formAction} frame-ancestors 'none'; base-uri 'none'`;
}
