import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { Html, html } from "@partner-connect/service-runtime/html";
import type { Texts } from "../texts/en.ts";
import { LANGUAGES } from "./locale.ts";
import { MERCHANT_HEADERS } from "./send-page.ts";

const file = (url: string) => readFileSync(new URL(url, import.meta.url), "utf8");

const STYLE = file("./base.css")
  .replace(/\/\*.*?\*\//gs, "")
  .replace(/\s+/g, " ")
  .trim();
const ICON = file("./icon.svg")
  .replace(/<title>.*?<\/title>/, "")
  .trim();

/** Caddy inserts the variable unescaped. The services refuse names with markup (product.ts). */
const PRODUCT = "{$PRODUCT_NAME:Partner Connect}";

/** The page that the gateway shows while no server is available. It loads nothing else and has no script. */
function gatewayPageView(texts: Texts, requestId: string): Html {
  const { title, lead } = texts.failure.unavailable;
  return html`<!doctype html>
<html lang="${texts.language}">
<head>
<meta charset="utf-8">
<title>${title} · ${PRODUCT}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<style>${new Html(STYLE)}</style>
</head>
<body>
<div class="page narrow">
<header class="top"><p class="product">${new Html(ICON.replace("<svg ", '<svg width="28" height="28" aria-hidden="true" '))}<span>${PRODUCT}</span></p></header>
<main>
<section class="card">
<h1>${title}</h1>
<p class="lead">${lead}</p>
<p class="actions"><a class="button primary" href="">${texts.tryAgain}</a></p>
<p class="fine">${texts.failurePage.requestId} <code>${requestId}</code></p>
</section>
</main>
</div>
</body>
</html>
`;
}

/** The output of `pnpm gateway-page`. The Caddyfile imports it, and the local stack's gateway reads it. */
export const GATEWAY_PAGE_FILE = new URL("../../../../deploy/gateway/page.caddyfile", import.meta.url);

const HEADERS: Readonly<Record<string, string>> = {
  ...MERCHANT_HEADERS,
  "content-type": "text/html; charset=utf-8",
  // The style is inline, so the policy allows it by its hash.
  "content-security-policy": `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
  vary: "accept, accept-language, cookie",
};

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

// `pnpm gateway-page` begins here.
if (import.meta.main) writeFileSync(GATEWAY_PAGE_FILE, gatewayPageSnippet());
