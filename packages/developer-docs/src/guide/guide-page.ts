import type { Html } from "@partner-connect/service-runtime/html";
import { layout } from "../layout.ts";
import { renderMarkdown } from "./markdown.ts";

/** A guide as a page. */
export function guidePage(name: string, text: string): Html {
  const { title, body, headings } = renderMarkdown(text);
  return layout({ name, title, headings, main: body });
}
