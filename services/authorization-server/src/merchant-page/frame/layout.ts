import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { ICON, STYLESHEET } from "../assets/assets.ts";
import type { Locale } from "../texts/locale.ts";
import { pageFoot, type ShownAgainBy } from "./page-foot.view.ts";

/** One page. The account stands below `main`, so that the first form of the page is its own. */
export interface Page {
  readonly locale: Locale;
  /** Of the window; plain text. */
  readonly title: string;
  readonly main: Html;
  readonly account?: HtmlValue;
  /** Where a form of the page is sent to see the page in another language, with what is chosen in it. Default: the page is opened again. */
  readonly shownAgainBy?: ShownAgainBy;
  /** Default: "medium". */
  readonly width?: "narrow" | "medium" | "wide" | "double";
}

export function layout(page: Page): Html {
  const { texts, tag } = page.locale;
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
<div class="page ${page.width ?? "medium"}">
<header class="top"><img src="${ICON.path}" width="28" height="28" alt=""><span>${texts.product}</span></header>
<main id="content" tabindex="-1">
${page.main}
</main>
${pageFoot(page.locale, page.account, page.shownAgainBy)}
</div>
</body>
</html>
`;
}

/** A narrow page that is one card: a heading, which is the window's title too, a lead, and what follows. */
export function cardPage(locale: Locale, title: string, lead: HtmlValue, content: HtmlValue): Html {
  return layout({
    locale,
    title,
    width: "narrow",
    main: html`<section class="card">
<h1>${title}</h1>
<p class="lead">${lead}</p>
${content}
</section>`,
  });
}

/** A message on top of a page, read out when the page opens. */
export function notice(kind: "problem" | "done", message: HtmlValue): HtmlValue {
  return (
    message && html`<div class="notice ${kind}" role="${kind === "problem" ? "alert" : "status"}">${message}</div>`
  );
}
