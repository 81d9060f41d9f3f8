import type { FastifyReply } from "fastify";
import { ICON, STYLESHEET } from "./assets.ts";
import { type Html, type HtmlValue, html } from "./html.ts";

declare module "fastify" {
  interface FastifyInstance {
    readonly docsUrl: string;
  }
}

export interface Page {
  readonly title: string;
  readonly main: Html;
  readonly status?: number;
  readonly width?: "narrow" | "wide";
}

const APP = "Attribution Insights";

export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  return reply
    .code(page.status ?? 200)
    .headers({ "content-type": "text/html; charset=utf-8", "cache-control": "no-store" })
    .send(layout(page, reply.server.docsUrl).toString());
}

function layout({ title, main, width = "wide" }: Page, docsUrl: string): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · ${APP}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${STYLESHEET.path}">
<link rel="icon" href="${ICON.path}" type="image/svg+xml">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<div class="page ${width}">
<header class="top"><a href="/"><img src="${ICON.path}" width="28" height="28" alt=""> ${APP}</a> <span class="tag muted">a sample app</span></header>
<main id="content" tabindex="-1">
${main}
</main>
<footer class="foot">For developers: this app is <code>packages/sample-partner</code>; its README is a tour. <a href="${docsUrl}">Partner Connect’s docs</a></footer>
</div>
</body>
</html>
`;
}

/** A page that is one card: a heading, which is the window's title too, and what follows. */
export function cardPage(title: string, content: HtmlValue, status = 200): Page {
  return { title, status, width: "narrow", main: html`<section class="card"><h1>${title}</h1>${content}</section>` };
}

/** A message on top of a page, read out when the page opens. */
export function notice(kind: "problem" | "done", message: HtmlValue): Html {
  return html`<div class="notice ${kind}" role="${kind === "problem" ? "alert" : "status"}">${message}</div>`;
}
