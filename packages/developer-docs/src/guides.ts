import { readFileSync } from "node:fs";

const read = (path: string) => readFileSync(new URL(`../${path}.md`, import.meta.url), "utf8");

/** A guide's Markdown from guides/, with its placeholders. */
export const guideText = (name: string): string => read(`guides/${name}`);

export function withBaseUrl(text: string, baseUrl: string): string {
  return text.replaceAll("{base_url}", () => baseUrl);
}

/** The requests of the reference: the sections of reference/samples.md. */
export function referenceSamples(): ReadonlyMap<string, string> {
  const [, ...parts] = read("reference/samples").split(/^## /m);
  return new Map(
    parts.map(
      (part) => [part.slice(0, part.indexOf("\n")), part.slice(part.indexOf("\n")).trim()] as const,
    ),
  );
}
