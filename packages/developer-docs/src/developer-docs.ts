import { readFileSync } from "node:fs";
import type { DescribedDocument } from "@partner-connect/public-api/document";
import { html } from "@partner-connect/service-runtime/html";
import { findAsset, ICON, STYLESHEET } from "./assets.ts";
import { type DocsFile, docsFile, FIVE_MINUTES, FOREVER } from "./docs-file.ts";
import { guidePage, guideText, withBaseUrl } from "./guide/guide-page.ts";
import { layout } from "./layout.ts";
import { GUIDES, pathOf, REFERENCE } from "./navigation.ts";
import { referencePage } from "./reference/reference-page.ts";

interface DeveloperDocs {
  find(path: string): DocsFile | null;
  readonly notFound: DocsFile;
}

interface DeveloperDocsOptions {
  /** The address that partners were given. It stands wherever a guide says `{base_url}`. */
  readonly baseUrl: string;
  readonly document: () => DescribedDocument;
  readonly toolFiles: readonly {
    readonly name: string;
    readonly type: string;
    readonly text: (baseUrl: string) => string;
  }[];
}

const PAGE = "text/html; charset=utf-8";
const MARKDOWN = "text/markdown; charset=utf-8";

const PYTHON_SDK = new URL(import.meta.resolve("@partner-connect/partner-sdk-python/partner_connect.py"));

/** All pages for partners' developers. Each is made when it is first asked for, and kept. */
export function developerDocs({ baseUrl, document, toolFiles }: DeveloperDocsOptions): DeveloperDocs {
  const files = new Map<string, () => DocsFile>();
  const add = (path: string, type: string, content: () => string | Buffer, cacheControl = FIVE_MINUTES) => {
    let made: DocsFile | undefined;
    files.set(path, () => (made ??= docsFile(type, content(), cacheControl)));
  };

  for (const name of GUIDES) {
    const text = () => withBaseUrl(guideText(name), baseUrl);
    add(pathOf(name), PAGE, () => guidePage(name, text()).toString());
    add(`/docs/${name || "overview"}.md`, MARKDOWN, text);
  }
  add(pathOf(REFERENCE.name), PAGE, () => referencePage(document(), baseUrl).toString());
  for (const { name, type, text } of toolFiles) add(`/docs/${name}`, type, () => text(baseUrl));
  add("/docs/partner_connect.py", "text/x-python; charset=utf-8", () => readFileSync(PYTHON_SDK));
  for (const { path, type, content } of [STYLESHEET, ICON]) add(path, type, () => content, FOREVER);

  return {
    find: (path) => files.get(path)?.() ?? olderAsset(path),
    notFound: docsFile(PAGE, notFoundPage().toString(), "no-store"),
  };
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
