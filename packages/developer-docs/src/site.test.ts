import { readDocument } from "@partner-connect/contract/openapi";
import { describe, expect, test } from "vitest";
import { buildDocs } from "../building/build.ts";
import { referenceSamples } from "./guides.ts";
import { GUIDES } from "./navigation.ts";
import { docsSite } from "./site.ts";

const BASE_URL = "https://connect.example";
const PRODUCT = {
  name: "Field's \\ Notes & Co",
  color: "#7a1f5c",
  iconPath: "/oauth/assets/logo.svg",
};
const OPERATIONS = Object.entries(readDocument().paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    route: `${method.toUpperCase()} ${path}`,
  })),
);
const REFERENCE = [
  "reference",
  ...OPERATIONS.map(({ operationId }) => `reference/${operationId}`),
  "reference/objects",
];
const PAGES = [...GUIDES, ...REFERENCE];

await buildDocs();
const docs = docsSite({
  baseUrl: BASE_URL,
  supportUrl: null,
  product: { ...PRODUCT, name: "Partner Connect", color: null },
});

const pathOf = (name: string) => (name === "overview" ? "/docs" : `/docs/${name}`);
const text = (path: string): string => docs.find(path)?.body.bytes.toString() ?? "";
const linksOf = (markup: string) =>
  [...markup.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = ""]) => href);
const anchorsOf = (markup: string) =>
  [...markup.matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => id);

describe.each(PAGES)("%s", (name) => {
  test("the page and its Markdown version have a title and no placeholder", () => {
    const markup = text(pathOf(name));
    expect(markup.match(/<h1 /g)).toHaveLength(1);
    expect(markup).toMatch(/<title>[^<]+ · Partner Connect<\/title>/);
    expect(markup).toContain(`<link rel="alternate" type="text/markdown" href="/docs/${name}.md">`);
    expect(docs.findMarkdown(pathOf(name))?.body.bytes.toString()).toBe(text(`/docs/${name}.md`));
    expect(text(`/docs/${name}.md`)).toMatch(/^# /);
    expect(text(`/docs/${name}.md`) + markup).not.toMatch(
      /\{\w+_url\}|\{sdk_\w+\}|-url\.example|undefined|\[object/,
    );
  });

  test("the page has no broken link and no duplicate fragment", () => {
    const markup = text(pathOf(name));
    const lost = linksOf(markup).filter((href) => {
      const own = href.startsWith(`${BASE_URL}/docs`) ? href.slice(BASE_URL.length) : href;
      if (!/^(\/docs|#)/.test(own)) return !/^(https?|mailto):/.test(own);
      const [target = "", fragment] = own.split("#");
      const found = target === "" ? markup : text(target.replace(/\/$/, ""));
      return found === "" || (fragment !== undefined && !anchorsOf(found).includes(fragment));
    });
    expect(lost).toEqual([]);
    const ids = anchorsOf(markup);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});

test("the page of an operation has the operation's route, parameters, responses and sample requests", () => {
  const ids = OPERATIONS.map(({ operationId }) => operationId);
  expect(
    [...referenceSamples().keys()].filter((name) => name !== "default" && !ids.includes(name)),
  ).toEqual([]);
  for (const { operationId, route, parameters = [], responses, security = [] } of OPERATIONS) {
    const markup = text(`/docs/reference/${operationId}`);
    expect(markup).toContain(`<code>${route}</code>`);
    for (const { name } of parameters) expect(markup).toContain(`<code>${name}</code>`);
    for (const status of Object.keys(responses)) expect(markup).toContain(`<summary>${status} `);
    for (const language of ["bash", "ts", "python"])
      expect(markup).toContain(`class="language-${language}`);
    // The default sample sends no credential and no parameter.
    const hasDefault =
      route.startsWith("GET") &&
      security.length === 0 &&
      parameters.every(({ required }) => !required);
    expect([route, hasDefault || referenceSamples().has(operationId)]).toEqual([route, true]);
  }
});

test("each error in an operation's examples has a link to the guide on errors", () => {
  const unlinked = REFERENCE.flatMap((name) => {
    const markdown = text(`/docs/${name}.md`);
    const errors = [...markdown.matchAll(/^ {2}"error": "(\w+)"/gm)].map(([, error]) => error);
    return errors
      .filter((error) => !markdown.includes(`[\`${error}\`](/docs/errors#`))
      .map((error) => `${name} ${error}`);
  });
  expect(unlinked).toEqual([]);
});

test("the page of objects lists every header and every field of every object", () => {
  const { schemas, headers = {} } = readDocument().components;
  const markup = text("/docs/reference/objects");
  for (const [name, { properties = {} }] of Object.entries(schemas)) {
    if (Object.keys(properties).length > 0) expect(markup).toContain(`id="${name.toLowerCase()}"`);
    for (const field of Object.keys(properties)) expect(markup).toContain(`<code>${field}</code>`);
  }
  for (const name of Object.keys(headers)) expect(markup).toContain(`<code>${name}</code>`);
});

test("a program in several languages is one code group, separate from the program's output", () => {
  const markup = text("/docs/first-connection");
  expect(markup.match(/class="vp-code-group/g)).toHaveLength(1);
  expect(markup).toMatch(
    /<label[^>]*>first-connection\.ts<\/label>.*<label[^>]*>first_connection\.py<\/label>/s,
  );
  expect(markup).toMatch(/<p><em>Answer<\/em><\/p>\s*<div class="language-json/);
});

test("each page has as many inline scripts as there are script hashes", () => {
  expect(docs.scriptHashes).toHaveLength(2);
  for (const name of PAGES)
    expect(text(pathOf(name)).match(/<script (?![^>]*src=)/g)).toHaveLength(2);
});

test("llms.txt lists each page, and llms-full.txt contains each page", () => {
  const [list, full] = [text("/docs/llms.txt"), text("/docs/llms-full.txt")];
  expect(list).toMatch(/^# Partner Connect\n\n> \w.+\.\n\n[^#]+\n\n## Begin\n\n- \[/);
  for (const name of PAGES) {
    expect(list).toMatch(
      new RegExp(`^- \\[[^\\]]+\\]\\(${BASE_URL}/docs/${name}.md\\)(: .+)?$`, "m"),
    );
    expect(full).toContain(text(`/docs/${name}.md`).trim());
  }
});

test("'ask us' links to the operator's support URL or, if none is set, to the overview guide", () => {
  expect(linksOf(text("/docs/errors"))).toContain(`${BASE_URL}/docs#ask-us`);
  const supported = docsSite({
    baseUrl: BASE_URL,
    supportUrl: "mailto:o'neil@b.example?subject=a&body=b",
    product: PRODUCT,
  });
  const markup = supported.find("/docs/errors")?.body.bytes.toString() ?? "";
  expect(linksOf(markup)).toContain("mailto:o%27neil@b.example?subject=a&body=b");
});

test("pages, scripts and styles have the product's name, colour and logo, not ours", () => {
  const branded = docsSite({ baseUrl: BASE_URL, supportUrl: null, product: PRODUCT });
  const sent = (path: string) => branded.find(path)?.body.bytes.toString() ?? "";
  const page = sent("/docs/tools");
  expect(page).toMatch(/<title>[^<]+ · Field’s \/ Notes & Co<\/title>/);
  expect(page).toMatch(/<link rel="icon" href="\/oauth\/assets\/logo.svg">/);
  expect(page).toMatch(/<img [^>]*src="\/oauth\/assets\/logo.svg"/);
  const [style = ""] = /\/docs\/assets\/style[^"]+/.exec(page) ?? [];
  expect(sent(style)).toContain("--product:#7a1f5c");
  const scripts = [...page.matchAll(/(?:href|src)="(\/docs\/assets\/[^"]+\.js)"/g)].map(
    ([, path = ""]) => path,
  );
  const pages = ["/docs/tools", "/docs/tools.md", "/docs/llms-full.txt", "/docs/none"];
  for (const path of [...scripts, ...pages, "/docs/partner-sdk.txt", style]) {
    expect(sent(path), path).not.toMatch(/Partner Connect|#12564b|url\.example/);
  }
  expect(sent("/docs/tools.md")).toContain('"title": "Field’s / Notes & Co API"');
});

test("an asset may be cached forever, unless it contains the base URL", () => {
  const assets = [
    ...text("/docs/libraries").matchAll(/(?:href|src)="(\/docs\/assets\/[^"]+)"/g),
  ].map(([, path = ""]) => path);
  const kept = (pattern: RegExp) => {
    // The lean script has none of the text.
    const path = assets.find((path) => pattern.test(path))?.replace(".lean.", ".");
    return docs.find(path ?? "")?.cacheControl;
  };
  expect(kept(/style\./)).toMatch(/immutable/);
  expect(kept(/libraries\.md/)).toBe("public, max-age=300");
});

test.each([
  "/docs/",
  "/docs/none",
  "/docs/../package.json",
  "/docs/%2e%2e/package.json",
  "/docs/Errors",
  "/docs/digest",
  "/docs//etc/passwd.txt",
])("%s is no page of the documentation", (path) => expect(docs.find(path)).toBeNull());
