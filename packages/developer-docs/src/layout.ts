import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { ICON, SCRIPT, STYLESHEET } from "./assets.ts";
import type { Heading } from "./guide/markdown.ts";
import { type Entry, type Group, markdownPathOf, NAVIGATION, neighbours, pathOf } from "./navigation.ts";

export interface Page {
  /** Below /docs, as in the navigation. Null for a page that is not in it. */
  readonly name: string | null;
  readonly title: string;
  readonly main: HtmlValue;
  readonly headings?: readonly Heading[];
  /** Pages of the same chapter, listed after all others while one of them is open. */
  readonly chapter?: readonly Group[];
  /** What the search field has in it. */
  readonly query?: string;
  /** Where an Atom feed tells what changes on it. */
  readonly feed?: string;
}

/** On a wide screen the pages stand to the left, what this page has to the right. On a phone both are folded, above the page. */
export function layout({ name, title, main, headings = [], chapter = [], query = "", feed }: Page): Html {
  const pages = pagesNavigation([...NAVIGATION, ...chapter], name);
  const contents = headings.length > 1 && contentsNavigation(headings);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · Partner Connect</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${STYLESHEET.path}">
<link rel="icon" href="${ICON.path}" type="${ICON.type}">
${name !== null && html`<link rel="alternate" type="text/markdown" href="${markdownPathOf(name)}">\n<script src="${SCRIPT.path}" defer></script>`}
${feed && html`<link rel="alternate" type="application/atom+xml" href="${feed}">`}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="home" href="/docs"><img src="${ICON.path}" width="28" height="28" alt=""><span>Partner Connect</span></a>
<form class="search" action="/docs/search" role="search">
<input type="search" name="q" value="${query}" maxlength="100" aria-label="Search the docs" placeholder="Search">
</form>
<details class="menu"><summary>Menu</summary>
${contents}
${pages}
</details>
</header>
<div class="columns">
<main id="content" tabindex="-1">
${main}
${name !== null && readOn(name)}
</main>
${pages}
${contents}
</div>
</body>
</html>
`;
}

function pagesNavigation(groups: readonly Group[], current: string | null): Html {
  return html`<nav class="pages" aria-label="All pages">
${groups.map(
  ({ heading, entries }) => html`<h2>${heading}</h2>
<ul>
${entries.map((entry) => html`<li>${link(entry, current)}</li>\n`)}</ul>
`,
)}</nav>`;
}

function link(entry: Entry, current: string | null): Html {
  return html`<a href="${pathOf(entry.name)}"${entry.name === current && html` aria-current="page"`}>${entry.label}</a>`;
}

function contentsNavigation(headings: readonly Heading[]): Html {
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
</nav>
<p class="as-markdown"><a href="${markdownPathOf(name)}" type="text/markdown">This page as Markdown</a></p>`;
}
