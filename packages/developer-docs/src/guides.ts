import { readFileSync } from "node:fs";

/** A guide's Markdown from guides/, with its placeholders. */
export function guideText(name: string): string {
  return readFileSync(new URL(`../guides/${name}.md`, import.meta.url), "utf8");
}

export function withBaseUrl(text: string, baseUrl: string): string {
  return text.replaceAll("{base_url}", () => baseUrl);
}

/** `SUPPORT_URL`, or the guides' section about support. */
export function withSupportUrl(text: string, supportUrl: string | null): string {
  return text.replaceAll("{support_url}", () => supportUrl ?? "/docs#ask-us");
}
