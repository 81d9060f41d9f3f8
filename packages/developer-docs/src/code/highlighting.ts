import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { type HtmlValue, html } from "@partner-connect/service-runtime/html";

/** The languages whose words are marked, by the names of shiki's grammars. */
export const GRAMMARS: Readonly<Record<string, string>> = {
  bash: "shellscript",
  ts: "typescript",
  python: "python",
  json: "json",
  http: "http",
  go: "go",
  ruby: "ruby",
  perl: "perl",
};

/** A line for each block: its key, then the lengths of its words, each after its kind, such as `k6-1f4`. `pnpm highlight` writes it. */
export const HIGHLIGHTING_FILE = new URL("highlighting.txt", import.meta.url);

let kinds: ReadonlyMap<string, string> | undefined;

/** A block's text with its words marked as classes, or as it is where the file doesn't have it. */
export function highlighted(language: string, text: string): HtmlValue {
  let at = 0;
  const parts = [...(kindsOf(language, text) ?? "").matchAll(/(\D)(\d+)/g)].map(([, kind, length]) => {
    const part = text.slice(at, at + Number(length));
    at += part.length;
    return kind === "-" ? part : html`<span class="${kind}">${part}</span>`;
  });
  return [...parts, text.slice(at)];
}

function kindsOf(language: string, text: string): string | undefined {
  kinds ??= new Map(existsSync(HIGHLIGHTING_FILE) ? linesOf(readFileSync(HIGHLIGHTING_FILE, "utf8")) : []);
  return kinds.get(highlightingKey(language, text));
}

function linesOf(text: string): [string, string][] {
  return text.split("\n").map((line) => line.split(" ") as [string, string]);
}

export function highlightingKey(language: string, text: string): string {
  return createHash("sha256").update(`${language}\n${text}`).digest("base64url").slice(0, 12);
}
