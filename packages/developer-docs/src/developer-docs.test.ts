import { readFileSync } from "node:fs";
import type { DescribedDocument } from "@partner-connect/public-api/document";
import { describe, expect, test } from "vitest";
import { developerDocs } from "./developer-docs.ts";
import { GUIDES, pathOf } from "./navigation.ts";

const BASE_URL = "https://connect.example";
const DOCUMENT = new URL("../../public-api/openapi.json", import.meta.url);

const OPTIONS: Parameters<typeof developerDocs>[0] = {
  baseUrl: BASE_URL,
  supportUrl: null,
  document: () => JSON.parse(readFileSync(DOCUMENT, "utf8")) as DescribedDocument,
};
const docs = developerDocs(OPTIONS);
const page = (path: string): string => docs.find(path)?.body.bytes.toString() ?? "";
const REFERENCE_PAGES = ["/docs/reference", ...operationIds().map(pathOfOperation), "/docs/reference/objects"];
const PAGES = [...GUIDES.map(pathOf), "/docs/changelog", ...REFERENCE_PAGES];

function operationIds(): string[] {
  const { paths } = JSON.parse(readFileSync(DOCUMENT, "utf8")) as DescribedDocument;
  return Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
}
function pathOfOperation(operationId: string): string {
  return `/docs/reference/${operationId}`;
}

/** Where the page's links lead, and what can be linked to on it. */
function linksOf(markup: string): string[] {
  return [...markup.matchAll(/ href="([^"]*)"/g)].map(([, href = ""]) => href);
}
function anchorsOf(markup: string): string[] {
  return [...markup.matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => id);
}

describe.each(PAGES)("%s", (path) => {
  const markup = page(path);

  test("is a page with one heading of the first level, and its own title", () => {
    expect(markup.match(/<h1>/g)).toHaveLength(1);
    expect(markup).toMatch(/<title>[^<]+ · Partner Connect<\/title>/);
  });

  test("has one script of ours, no style of its own, and names no placeholder", () => {
    const scripts = markup.match(/<script.*?<\/script>/g) ?? [];
    expect(scripts).toEqual([
      expect.stringMatching(/^<script src="\/docs\/assets\/copy-\w{16}\.js" defer><\/script>$/),
    ]);
    expect(markup).not.toMatch(/<style| style="| on\w+="|\{(?:base|support)_url\}|undefined|\[object/);
  });

  test("is marked as the present page in the list of all pages", () => {
    const listed = REFERENCE_PAGES.includes(path) ? PAGES : [...GUIDES.map(pathOf), "/docs/reference"];
    expect(linksOf(markup)).toEqual(expect.arrayContaining(listed));
    expect(markup).toContain(`<a href="${path}" aria-current="page">`);
  });

  test("links only to what is there", () => {
    const lost = linksOf(markup).filter((href) => {
      const own = href.startsWith(`${BASE_URL}/docs`) ? href.slice(BASE_URL.length) : href;
      if (!own.startsWith("/docs") && !own.startsWith("#")) return false;
      const [target = "", fragment] = own.split("#");
      const found = target === "" ? markup : page(target);
      return found === "" || (fragment !== undefined && !anchorsOf(found).includes(fragment));
    });
    expect(lost).toEqual([]);
  });

  test("has no fragment twice", () => {
    const ids = anchorsOf(markup);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});

test("what is nowhere is null: neither a file of ours nor of the machine", () => {
  for (const path of ["/docs/", "/docs/none", "/docs/../package.json", "/docs/Errors", "/docs/assets/none.css", ""]) {
    expect(docs.find(path)).toBeNull();
  }
});

test("each guide is there as Markdown, with the address that partners were given", () => {
  expect(page("/docs/tokens.md")).toContain("# Tokens and their lives");
  expect(page("/docs/overview.md")).toContain(`\`${BASE_URL}/oauth/api/token\``);
  expect(page("/docs/overview.md")).not.toContain("{base_url}");
});

test("a stylesheet's name is its content's, so it may be kept for ever; under an older name it is kept for minutes", () => {
  const [path = ""] = linksOf(page("/docs")).filter((href) => href.endsWith(".css"));
  expect(docs.find(path)?.cacheControl).toMatch(/immutable/);
  const older = docs.find(path.replace(/-\w{16}\./, "-0123456789abcdef."));
  expect(older?.cacheControl).toBe("public, max-age=300");
  expect(older?.body.bytes).toEqual(docs.find(path)?.body.bytes);
});

describe("the reference", () => {
  const document = JSON.parse(readFileSync(DOCUMENT, "utf8")) as DescribedDocument;

  test("has a page for each operation: its route, parameters, answers, and a request in a shell, TypeScript and Python", () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { operationId, parameters = [], responses }] of Object.entries(methods)) {
        const markup = page(pathOfOperation(operationId));
        expect(markup).toContain(`<code>${method.toUpperCase()} ${path}</code>`);
        for (const { name } of parameters) expect(markup).toContain(`<code>${name}</code>`);
        for (const status of Object.keys(responses)) expect(markup).toContain(`>${status}</b>`);
        for (const language of ["bash", "ts", "python"])
          expect([operationId, markup]).toEqual([
            operationId,
            expect.stringContaining(`<figure class="code ${language}">`),
          ]);
        expect(linksOf(markup).filter((href) => href.startsWith("/docs/errors#"))).not.toEqual([]);
        expect(page(`${pathOfOperation(operationId)}.md`)).toContain(`\`${method.toUpperCase()} ${path}\``);
      }
    }
  });

  test("has every field of every object", () => {
    const objects = page("/docs/reference/objects");
    for (const [name, { properties = {} }] of Object.entries(document.components.schemas)) {
      if (Object.keys(properties).length > 0) expect(objects).toContain(`id="${name.toLowerCase()}"`);
      for (const field of Object.keys(properties)) expect(objects).toContain(`<code>${field}</code>`);
    }
    for (const name of Object.keys(document.components.headers)) expect(objects).toContain(`<code>${name}</code>`);
  });

  test("lists what partners call before discovery, and keeps the fragments of when it was one page", () => {
    const index = page("/docs/reference");
    const order = linksOf(index.slice(index.indexOf("<main"))).filter((href) => /^\/docs\/reference\/\w+$/.test(href));
    expect(new Set(order)).toEqual(new Set([...operationIds().map(pathOfOperation), "/docs/reference/objects"]));
    const discovery = order.indexOf(pathOfOperation("getAuthorizationServerMetadata"));
    for (const id of ["token", "listChanges", "listResponses", "createSource"])
      expect(order.indexOf(pathOfOperation(id))).toBeLessThan(discovery);
    const anchors = anchorsOf(index);
    const objects = Object.entries(document.components.schemas).filter(([, { properties }]) => properties);
    expect(anchors).toEqual(expect.arrayContaining([...operationIds(), ...objects.map(([name]) => `schema-${name}`)]));
  });
});

test("each page is there as Markdown, and its markup says so; llms.txt lists all of them, llms-full.txt has them", () => {
  const [list, full] = [page("/docs/llms.txt"), page("/docs/llms-full.txt")];
  expect(list).toMatch(/^# Partner Connect\n\n> \w.+\.\n\n[^#]+\n\n## Begin\n\n- \[/);
  for (const path of PAGES) {
    const [, alternate = ""] = /<link rel="alternate" type="text\/markdown" href="([^"]+)">/.exec(page(path)) ?? [];
    const text = page(alternate);
    expect(text).toMatch(/^# /);
    expect(list).toMatch(new RegExp(`^- \\[[^\\]]+\\]\\(${BASE_URL}${alternate}\\)(: .+)?$`, "m"));
    expect(full).toContain(text.trim());
    expect(docs.findMarkdown(path)?.body.bytes.toString()).toBe(text);
  }
  expect(`${list}${full}`).not.toMatch(/\{(?:base|support)_url\}/);
  expect(docs.findMarkdown("/docs/none")).toBeNull();
});

test("where a guide says 'ask us', it links to the operator's support, or names the operator", () => {
  expect(page("/docs/errors.md")).toContain(
    "| your client is disabled | ask the operator who registered your client |",
  );
  const supported = developerDocs({ ...OPTIONS, supportUrl: "mailto:a@b.example" });
  const markup = supported.find("/docs/errors")?.body.bytes.toString();
  expect(markup).toContain('<td><a href="mailto:a@b.example">ask us</a></td>');
  for (const path of GUIDES.map(pathOf)) {
    expect(page(path)).not.toMatch(/\b(?:ask|tell|write to) us\b/i);
  }
});
