import { readFileSync, writeFileSync } from "node:fs";
import { DOCUMENT_FILE } from "@partner-connect/public-api";
import { createCssVariablesTheme, createHighlighterCore } from "@shikijs/core";
import { createJavaScriptRegexEngine } from "@shikijs/engine-javascript";
import { docsPages } from "../developer-docs.ts";
import { codeBlocks } from "./code-blocks.ts";
import { GRAMMARS, HIGHLIGHTING_FILE, highlightingKey } from "./highlighting.ts";

// pnpm highlight: writes highlighting.txt, a line for each block of code on the pages.

/** What shiki's theme of CSS variables calls a kind of word, and our class for it in code.css. */
const KINDS: Readonly<Record<string, string>> = {
  "var(--token-keyword)": "k",
  "var(--token-function)": "f",
  "var(--token-string)": "s",
  "var(--token-string-expression)": "s",
  "var(--token-constant)": "c",
  "var(--token-comment)": "o",
};
/** It is an address as long as `{base_url}`, so that grammars take it for one and the lengths stay true. */
const ADDRESS = "https://bu";

const langs = await Promise.all(Object.values(GRAMMARS).map((name) => import(`@shikijs/langs/${name}`)));
const highlighter = await createHighlighterCore({
  themes: [createCssVariablesTheme({ name: "kinds", variablePrefix: "--" })],
  langs: langs.map((module) => module.default),
  engine: createJavaScriptRegexEngine(),
});

function kindsOf(language: string, text: string): string {
  const lines = highlighter.codeToTokensBase(text.replaceAll("{base_url}", ADDRESS), {
    lang: GRAMMARS[language] ?? "",
    theme: "kinds",
  });
  const parts: { kind: string; length: number }[] = [];
  for (const [index, line] of lines.entries()) {
    if (index > 0) parts.push({ kind: parts.at(-1)?.kind ?? "-", length: 1 });
    for (const { content, color = "" } of line) {
      // A blank has no colour: it continues what is before it.
      const kind = content.trim() === "" ? (parts.at(-1)?.kind ?? "-") : (KINDS[color] ?? "-");
      parts.push({ kind, length: content.length });
    }
  }
  const runs: typeof parts = [];
  for (const { kind, length } of parts) {
    const last = runs.at(-1);
    if (last?.kind === kind) last.length += length;
    else runs.push({ kind, length });
  }
  return runs.map(({ kind, length }) => `${kind}${length}`).join("");
}

const document = JSON.parse(readFileSync(DOCUMENT_FILE, "utf8"));
const blocks = docsPages(() => document).flatMap(({ html }) => codeBlocks(html().toString()));
const lines = blocks
  .filter(({ language }) => language in GRAMMARS)
  .map(({ language, text }) => `${highlightingKey(language, text)} ${kindsOf(language, text)}`);
writeFileSync(HIGHLIGHTING_FILE, `${[...new Set(lines)].sort().join("\n")}\n`);
