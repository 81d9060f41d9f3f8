import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { accountBar } from "./account.view.ts";
import type { Locale } from "./locale.ts";
import { pageFoot, type ShownAgainBy } from "./page-foot.view.ts";

interface Page {
  /** Of the window; plain text. */
  readonly title: string;
  /** Where a form of the page is sent to see the page in another language, with what is chosen in it. Default: the page is opened again. */
  readonly shownAgainBy?: ShownAgainBy;
  readonly width?: "narrow" | "medium" | "wide" | "double";
}

/** One page. No form stands above `main`, so that the first one is the page's own. */
export function layout(locale: Locale, page: Page, main: Html): Html {
  const { texts, tag, frame } = locale;
  const { stylesheet, icon } = frame.assets;
  return html`<!doctype html>
<html lang="${tag}">
<head>
<meta charset="utf-8">
<title>${frame.isRefusal && html`${texts.frame.error} `}${page.title} · ${frame.productName}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="stylesheet" href="${stylesheet.path}">
<link rel="icon" href="${icon.path}" type="${icon.type}">
${locale.frame.script !== undefined && html`<script src="${locale.frame.script}" defer></script>`}
</head>
<body>
<a class="skip" href="#content">${texts.skipToContent}</a>
<div class="page ${page.width ?? "narrow"}">
<header class="top">
<p class="product"><img src="${icon.path}" height="28" alt=""><span>${frame.productName}</span></p>
${frame.account && accountBar(frame.account, locale)}
</header>
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

/**
 * A message on top of a page, read out when the page opens. Screen readers leave out alerts that were there from the beginning, so a
 * problem has the focus, unless a field has it that the problem describes.
 */
export function notice(
  kind: "problem" | "done",
  message: HtmlValue,
  hasFocus: boolean = kind === "problem",
): HtmlValue {
  const role = kind === "problem" ? "alert" : "status";
  return (
    message &&
    html`<div class="notice ${kind}" role="${role}"${hasFocus && html` tabindex="-1" autofocus`}>${message}</div>`
  );
}
