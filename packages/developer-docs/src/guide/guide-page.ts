import { readFileSync } from "node:fs";
import type { Html } from "@partner-connect/service-runtime/html";
import { layout } from "../layout.ts";
import { renderMarkdown } from "./markdown.ts";

const FOLDER = new URL("../../guides/", import.meta.url);

/** A guide's Markdown as it stands in guides/, with `{base_url}` still in it. */
export function guideText(name: string): string {
  return readFileSync(new URL(`${name || "overview"}.md`, FOLDER), "utf8");
}

export function withBaseUrl(text: string, baseUrl: string): string {
  return text.replaceAll("{base_url}", baseUrl);
}

export function guidePage(name: string, text: string): Html {
  const { title, body, headings } = renderMarkdown(text);
  return layout({ name, title, headings, main: body });
}
