import { readFileSync } from "node:fs";
import { Html, html } from "@partner-connect/service-runtime/html";
import type { Texts } from "../texts/texts.ts";

const file = (name: string) => readFileSync(new URL(`../assets/${name}`, import.meta.url), "utf8");

/** What all merchant pages share, in the page itself: no server of ours is there to be asked for it. */
export const STYLE = file("merchant-pages.css")
  .replace(/\/\*.*?\*\//gs, "")
  .replace(/\s+/g, " ")
  .trim();
const ICON = file("icon.svg")
  .replace(/<title>.*?<\/title>/, "")
  .trim();

/** What the gateway shows to people while no server answers. It asks for nothing else, and runs nothing. */
export function gatewayPageView(texts: Texts, requestId: string): Html {
  const { title } = texts.failure.unavailable;
  return html`<!doctype html>
<html lang="${texts.language}">
<head>
<meta charset="utf-8">
<title>${title} · ${texts.product}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<style>${new Html(STYLE)}</style>
</head>
<body>
<div class="page narrow">
<header class="top">${new Html(ICON.replace("<svg ", '<svg width="28" height="28" aria-hidden="true" '))}<span>${texts.product}</span></header>
<main>
<section class="card failure">
<h1>${title}</h1>
<p class="lead">${texts.noServer.lead}</p>
<p class="actions"><a class="button primary" href="">${texts.noServer.tryAgain}</a></p>
<p class="fine">${texts.failurePage.requestId} <code>${requestId}</code></p>
</section>
</main>
</div>
</body>
</html>
`;
}
