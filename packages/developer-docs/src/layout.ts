import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { ICON, STYLESHEET } from "./assets.ts";
import type { Heading } from "./guide/markdown.ts";
import { type Entry, NAVIGATION, neighbours, pathOf } from "./navigation.ts";

export interface Page {
  readonly name: string | null;
  readonly title: string;
  readonly main: HtmlValue;
  readonly headings?: readonly Heading[];
}

/** On a wide screen the pages stand to the left, what this page has to the right. On a phone all pages are at the foot. */
export function layout({ name, title, main, headings = [] }: Page): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · Partner Connect</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${STYLESHEET.path}">
<link rel="icon" href="${ICON.path}" type="${ICON.type}">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="home" href="/docs"><img src="${ICON.path}" width="28" height="28" alt=""><span>Partner Connect</span></a>
<a class="to-pages" href="#pages">All pages</a>
</header>
<div class="columns">
<main id="content" tabindex="-1">
${main}
${name !== null && readOn(name)}
</main>
<nav id="pages" class="pages" aria-label="All pages" tabindex="-1">
${NAVIGATION.map(
  ({ heading, entries }) => html`<h2>${heading}</h2>
<ul>
${entries.map((entry) => html`<li>${link(entry, name)}</li>\n`)}</ul>
`,
)}</nav>
${headings.length > 1 && onThisPage(headings)}
</div>
</body>
</html>
`;
}

function link(entry: Entry, current: string | null): Html {
  return html`<a href="${pathOf(entry.name)}"${entry.name === current && html` aria-current="page"`}>${entry.label}</a>`;
}

function onThisPage(headings: readonly Heading[]): Html {
  return html`<nav class="contents" aria-label="On this page">
<h2>On this page</h2>
<ul>
${headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>\n`)}</ul>
</nav>`;
}

function readOn(name: string): Html {
  const { before, after } = neighbours(name);
  return html`<nav class="read-on" aria-label="Before and after this page">
${before && html`<a rel="prev" href="${pathOf(before.name)}"><span>Before</span> ${before.label}</a>`}
${after && html`<a rel="next" href="${pathOf(after.name)}"><span>Next</span> ${after.label}</a>`}
</nav>`;
}
