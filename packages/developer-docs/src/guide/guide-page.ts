import { readFileSync } from "node:fs";
import type { Html } from "@partner-connect/service-runtime/html";
import { layout } from "../layout.ts";
import { GUIDES } from "../navigation.ts";
import type { DocsPage } from "../page.ts";
import { withSupport } from "../support.ts";
import { renderMarkdown } from "./markdown.ts";

const FOLDER = new URL("../../guides/", import.meta.url);

export function guidePages(supportUrl: string | null): DocsPage[] {
  return GUIDES.map((name) => {
    const markdown = () => withSupport(guideText(name), supportUrl);
    return { name, markdown, html: () => guidePage(name, markdown()) };
  });
}

/** A guide's Markdown as it stands in guides/, with `{base_url}` still in it. */
export function guideText(name: string): string {
  return readFileSync(new URL(`${name || "overview"}.md`, FOLDER), "utf8");
}

export function withBaseUrl(text: string, baseUrl: string): string {
  return text.replaceAll(/(?:\{|%7B)base_url(?:\}|%7D)/g, () => baseUrl);
}

function guidePage(name: string, text: string): Html {
  const { title, body, headings } = renderMarkdown(text);
  return layout({ name, title, headings, main: body });
}
