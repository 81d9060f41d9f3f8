import { createHash } from "node:crypto";
import { MERCHANT_HEADERS } from "../frame/send-merchant-page.ts";
import { LANGUAGES } from "../texts/locale.ts";
import { gatewayPageView, STYLE } from "./gateway-page.view.ts";

/** What `pnpm gateway-page` makes. The Caddyfile imports it, and the local stack's gateway reads it. */
export const GATEWAY_PAGE_FILE = new URL("../../../../../deploy/gateway/page.caddyfile", import.meta.url);

const HEADERS: Readonly<Record<string, string>> = {
  ...MERCHANT_HEADERS,
  "content-type": "text/html; charset=utf-8",
  // The style stands in the page, so it is named by its hash.
  "content-security-policy": `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
  vary: "accept, accept-language, cookie",
};

/** The page in each language, as a snippet for Caddy. */
export function gatewayPageSnippet(): string {
  const languages = LANGUAGES.map(({ language }) => language);
  const headers = Object.entries(HEADERS).map(([name, value]) => `\theader ${name} "${value}"`);
  const pages = LANGUAGES.map(
    (texts) =>
      `\t@${texts.language} vars {page_language} ${texts.language}\n\trespond @${texts.language} \`${gatewayPageView(texts, "{http.request.uuid}")}\` 503`,
  );
  return `# Made by \`pnpm gateway-page\` from the merchant pages' texts and style. Don't change it by hand.
#
# The language is the one that the reader chose on our pages, or else the first that the browser names and that we have.
(page) {
	map "{http.request.cookie.__Host-merchant_language}{http.request.cookie.merchant_language},{http.request.header.Accept-Language}" {page_language} {
		~^(?:[^,]*,)*?\\s*(${languages.join("|")})(?:[-;,]|$) \${1}
		default en
	}
	header content-language {page_language}
${headers.join("\n")}
${pages.join("\n")}
}
`;
}
