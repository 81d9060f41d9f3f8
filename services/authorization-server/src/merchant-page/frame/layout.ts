import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { ICON, STYLESHEET } from "../assets/assets.ts";
import type { Locale } from "../texts/locale.ts";
import { pageFoot, type ShownAgainBy } from "./page-foot.view.ts";

interface Page {
  /** Of the window; plain text. */
  readonly title: string;
  /** Where a form of the page is sent to see the page in another language, with what is chosen in it. Default: the page is opened again. */
  readonly shownAgainBy?: ShownAgainBy;
  readonly width?: "narrow" | "medium" | "wide" | "double";
}

/** One page. The account stands below `main`, so that the first form of the page is its own. */
export function layout(locale: Locale, page: Page, main: Html): Html {
  const { texts, tag } = locale;
  return html`<!doctype html>
<html lang="${tag}">
<head>
<meta charset="utf-8">
<title>${page.title} · ${texts.product}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="stylesheet" href="${STYLESHEET.path}">
<link rel="icon" href="${ICON.path}" type="${ICON.type}">
</head>
<body>
<a class="skip" href="#content">${texts.skipToContent}</a>
<div class="page ${page.width ?? "narrow"}">
<header class="top"><img src="${ICON.path}" width="28" height="28" alt=""><span>${texts.product}</span></header>
<main id="content" tabindex="-1">
${main}
</main>
${pageFoot(locale, page.shownAgainBy)}
</div>
</body>
</html>
`;
}

/** A page that is one card: a heading, by default the window's title, and what follows. */
export function cardPage(locale: Locale, page: Page & { readonly heading?: Html }, content: Html): Html {
  return layout(
    locale,
    page,
    html`<section class="card">
<h1>${page.heading ?? page.title}</h1>
${content}
</section>`,
  );
}

/** A message on top of a page, read out when the page opens. */
export function notice(kind: "problem" | "done", message: HtmlValue): HtmlValue {
  return (
    message && html`<div class="notice ${kind}" role="${kind === "problem" ? "alert" : "status"}">${message}</div>`
  );
}
