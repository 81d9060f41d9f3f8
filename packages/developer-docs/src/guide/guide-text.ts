import { readFileSync } from "node:fs";

const FOLDER = new URL("../../guides/", import.meta.url);

/** A guide's Markdown as it stands in guides/, with `{base_url}` still in it. */
export function guideText(name: string): string {
  return readFileSync(new URL(`${name || "overview"}.md`, FOLDER), "utf8");
}

/** The address that a reader was given, wherever a guide says `{base_url}`. */
export function withBaseUrl(text: string, baseUrl: string): string {
  return text.replaceAll("{base_url}", baseUrl);
}
