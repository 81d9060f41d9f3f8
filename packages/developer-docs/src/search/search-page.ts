import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import { layout } from "../layout.ts";
import { excerpt, marked } from "./excerpt.ts";
import type { Found } from "./search-index.ts";

export const LONGEST_QUERY = 100;

/** `found` is null where nothing was looked for. */
export function searchPage(query: string, found: readonly Found[] | null): Html {
  return layout({
    name: null,
    title: query ? `${query} · Search` : "Search",
    query,
    main: html`<h1>Search</h1>
${found === null ? hint() : found.length > 0 ? results(found) : nothing(query)}`,
  });
}

/** For a query that is longer than the field allows, or there twice. */
export function refusedSearchPage(): Html {
  return layout({
    name: null,
    title: "Search",
    main: html`<h1>Search</h1>
<p>Nothing was looked for: a search is one text of at most ${LONGEST_QUERY} characters.</p>`,
  });
}

function hint(): Html {
  return html`<p>Write a parameter, an error, an endpoint, a command or any words into the field above.</p>`;
}

function nothing(query: string): Html {
  return html`<p>Nothing on these pages has <b>${query}</b>. Fewer or shorter words find more. The <a href="/docs">overview</a> says what each page is for, and the
<a href="/docs/reference">API reference</a> has every endpoint.</p>`;
}

function results(found: readonly Found[]): HtmlValue {
  return html`<p>${found.length === 1 ? "One place" : `${found.length} places`}, the best first.</p>
<ol class="found">
${found.map(
  ({
    section: { href, title, heading, text },
    words,
  }) => html`<li><a href="${href}">${marked(heading || title, words)}</a>${heading && html` <span class="of">${title}</span>`}
<p>${excerpt(text, words)}</p></li>
`,
)}</ol>`;
}
