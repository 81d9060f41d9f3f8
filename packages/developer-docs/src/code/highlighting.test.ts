import { readFileSync } from "node:fs";
import { DOCUMENT_FILE } from "@partner-connect/public-api";
import { expect, test } from "vitest";
import { docsPages } from "../developer-docs.ts";
import { renderMarkdown } from "../guide/markdown.ts";
import { codeBlocks } from "./code-blocks.ts";
import { GRAMMARS, HIGHLIGHTING_FILE, highlightingKey } from "./highlighting.ts";

const document = JSON.parse(readFileSync(DOCUMENT_FILE, "utf8"));
const pages = docsPages(() => document).map(({ html }) => html().toString());

test("every block of code has its words marked: otherwise run `pnpm highlight`", () => {
  const blocks = pages.flatMap(codeBlocks).filter(({ language }) => language in GRAMMARS);
  const keys = new Set(blocks.map(({ language, text }) => highlightingKey(language, text)));
  const lines = readFileSync(HIGHLIGHTING_FILE, "utf8").trimEnd().split("\n");
  expect(keys.size).toBeGreaterThan(50);
  expect(lines.map((line) => line.split(" ")[0])).toEqual([...keys].sort());
});

test("our address stands in one piece, also where a word ends within it", () => {
  for (const page of pages) expect(page).not.toMatch(/\{(<[^>]+>)*base_(<[^>]+>)*url(<[^>]+>)+\}|\{(<[^>]+>)+base_url/);
});

test("words are marked by classes alone, and the text is as it was", () => {
  const text = '{ "error": "invalid_grant", "error_description": "grant revoked" }';
  const markup = renderMarkdown(`\`\`\`json answer\n${text}\n\`\`\``).body.toString();
  expect(markup).toContain('<span class="s">&quot;invalid_grant&quot;</span>');
  expect(markup).not.toContain("style=");
  expect(codeBlocks(markup)).toEqual([{ language: "json", text }]);
});
