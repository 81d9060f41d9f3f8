import { readFileSync } from "node:fs";
import type { DescribedDocument } from "@partner-connect/public-api/document";
import { describe, expect, test } from "vitest";
import { developerDocs } from "./developer-docs.ts";
import { GUIDES, pathOf } from "./navigation.ts";

const BASE_URL = "https://connect.example";
const DOCUMENT = new URL("../../public-api/openapi.json", import.meta.url);

const docs = developerDocs({
  baseUrl: BASE_URL,
  document: () => JSON.parse(readFileSync(DOCUMENT, "utf8").replaceAll("{base_url}", BASE_URL)) as DescribedDocument,
  toolFiles: ["postman.json", "airbyte.yaml"].map((name) => ({ name, type: "text/plain", text: (url) => url })),
});
const page = (path: string): string => docs.find(path)?.body.bytes.toString() ?? "";
const PAGES = [...GUIDES.map(pathOf), "/docs/reference"];

/** Where the page's links lead, and what can be linked to on it. */
function linksOf(markup: string): string[] {
  return [...markup.matchAll(/ href="([^"]*)"/g)].map(([, href = ""]) => href);
}
function anchorsOf(markup: string): string[] {
  return [...markup.matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => id);
}

describe.each(PAGES)("%s [docs.pages]", (path) => {
  const markup = page(path);

  test("is a page with one heading of the first level, and its own title", () => {
    expect(markup.match(/<h1>/g)).toHaveLength(1);
    expect(markup).toMatch(/<title>[^<]+ · Partner Connect<\/title>/);
  });

  test("has no script, no style of its own, and names no placeholder", () => {
    expect(markup).not.toMatch(/<script|<style| style="| on\w+="|\{base_url\}|undefined|\[object/);
  });

  test("is marked as the present page in the list of all pages", () => {
    expect(linksOf(markup)).toEqual(expect.arrayContaining(PAGES));
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

test("the reference has every endpoint and every field of the document [docs.reference]", () => {
  const reference = page("/docs/reference");
  const { paths, components } = JSON.parse(readFileSync(DOCUMENT, "utf8"));
  for (const path of Object.keys(paths)) expect(reference).toContain(` ${path}<`);
  for (const schema of Object.values<{ properties?: object }>(components.schemas)) {
    for (const field of Object.keys(schema.properties ?? {})) expect(reference).toContain(`<code>${field}</code>`);
  }
});
