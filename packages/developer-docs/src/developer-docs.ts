import { readFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { DescribedDocument } from "@partner-connect/public-api/document";
import { html } from "@partner-connect/service-runtime/html";
import { ASSETS, findAsset } from "./assets.ts";
import { changelogPage, FEED_PATH } from "./changelog/changelog.ts";
import { changelogFeed } from "./changelog/feed.ts";
import { type DocsFile, docsFile, FIVE_MINUTES, FOREVER } from "./docs-file.ts";
import { guidePages, withBaseUrl } from "./guide/guide-page.ts";
import { layout } from "./layout.ts";
import { llmsFullText, llmsText } from "./llms.ts";
import { markdownPathOf, pathOf } from "./navigation.ts";
import { packedSdkFile, withSdk } from "./packed-sdk.ts";
import type { DocsPage } from "./page.ts";
import { referencePages } from "./reference/reference-pages.ts";
import { searchIndex } from "./search/search-index.ts";
import { LONGEST_QUERY, refusedSearchPage, searchPage } from "./search/search-page.ts";
import { type Section, sectionsOf } from "./search/sections.ts";

interface DeveloperDocs {
  find(path: string): DocsFile | null;
  /** The page at this path as Markdown. */
  findMarkdown(path: string): DocsFile | null;
  /** `query` is what came as `q`. */
  search(query: unknown): Promise<DocsFile>;
  readonly notFound: DocsFile;
}

interface DeveloperDocsOptions {
  /** The address that partners were given. It stands wherever a guide says `{base_url}`. */
  readonly baseUrl: string;
  /** Where partners ask for help; null where nobody said so. */
  readonly supportUrl: string | null;
  /** With `{base_url}` where our address stands. */
  readonly document: () => DescribedDocument;
}

const PAGE = "text/html; charset=utf-8";
const MARKDOWN = "text/markdown; charset=utf-8";

const PYTHON_SDK = new URL(import.meta.resolve("@partner-connect/partner-sdk-python/partner_connect.py"));

/** All pages for partners' developers. Each is made when it is first asked for, and kept. */
export function developerDocs({ baseUrl, supportUrl, document }: DeveloperDocsOptions): DeveloperDocs {
  const files = new Map<string, () => DocsFile>();
  const add = (path: string, type: string, content: () => string | Buffer, cacheControl = FIVE_MINUTES) => {
    let made: DocsFile | undefined;
    files.set(path, () => (made ??= docsFile(type, content(), cacheControl)));
  };

  const filledIn = (text: string) => withSdk(withBaseUrl(text, baseUrl));
  const pages = docsPages(document, supportUrl);
  for (const { name, markdown, html } of pages) {
    add(pathOf(name), PAGE, () => filledIn(html().toString()));
    add(markdownPathOf(name), MARKDOWN, () => filledIn(markdown()));
  }
  add("/docs/llms.txt", MARKDOWN, () => filledIn(llmsText(pages)));
  add("/docs/llms-full.txt", MARKDOWN, () => filledIn(llmsFullText(pages)));
  add(FEED_PATH, "application/atom+xml; charset=utf-8", () => filledIn(changelogFeed()));
  add("/docs/partner_connect.py", "text/x-python; charset=utf-8", () => readFileSync(PYTHON_SDK));
  files.set("/docs/partner-sdk.tgz", packedSdkFile());
  for (const { path, type, content } of ASSETS) add(path, type, () => content, FOREVER);

  const find = (path: string) => files.get(path)?.() ?? olderAsset(path);
  /** Page by page, as all of them together would hold up other callers for a tenth of a second. */
  const makeIndex = async () => {
    const sections: Section[] = [];
    for (const { name } of pages) {
      sections.push(...sectionsOf(pathOf(name), find(pathOf(name))?.body.bytes.toString() ?? ""));
      await nextTurn();
    }
    return searchIndex(sections);
  };
  let index: ReturnType<typeof makeIndex> | undefined;
  return {
    find,
    findMarkdown(path) {
      const page = pages.find(({ name }) => pathOf(name) === path);
      return page ? find(markdownPathOf(page.name)) : null;
    },
    async search(query = "") {
      if (typeof query !== "string" || query.length > LONGEST_QUERY) {
        return { ...docsFile(PAGE, refusedSearchPage().toString(), "no-store"), status: 400 };
      }
      const asked = query.trim();
      index ??= makeIndex();
      const search = await index;
      return docsFile(PAGE, searchPage(asked, asked ? search(asked) : null).toString());
    },
    notFound: { ...docsFile(PAGE, notFoundPage().toString(), "no-store"), status: 404 },
  };
}

/** All that there is to read, in the order of the navigation. */
export function docsPages(document: () => DescribedDocument, supportUrl: string | null = null): DocsPage[] {
  return [...guidePages(supportUrl), changelogPage(), ...referencePages(document)];
}

/** One replica may send the page, and another one, of another release, be asked for its stylesheet. */
function olderAsset(path: string): DocsFile | null {
  const found = findAsset(path);
  return found ? docsFile(found.type, found.content) : null;
}

function notFoundPage() {
  const title = "There is no such page";
  return layout({
    name: null,
    title,
    main: html`<h1>${title}</h1>
<p>Perhaps it has another name now. All pages are listed here; the <a href="/docs">overview</a> says what each is for.</p>`,
  });
}
