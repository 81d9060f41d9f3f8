import { readFileSync } from "node:fs";

const read = (path: string) => readFileSync(new URL(`../${path}.md`, import.meta.url), "utf8");

/** The repository's changelog, which has parts for partners, merchants and operators. */
export const CHANGELOG = new URL("../../../CHANGELOG.md", import.meta.url);

/** A guide's Markdown from guides/, with its placeholders. */
export const guideText = (name: string): string =>
  name === "changelog" ? changelogText() : read(`guides/${name}`);

/** The changelog for partners, which has the section *For partners* of each version. */
function changelogText(): string {
  const [, ...versions] = readFileSync(CHANGELOG, "utf8").split(/^## /m);
  const parts = versions.map((version) => {
    const [, name = "", date = ""] = /^\[(.+?)\] - (.+)$/m.exec(version) ?? [];
    const text = /^\*\*For partners\*\*\n\n(.+?)\n\n(?=\*\*|#|$)/ms.exec(version)?.[1];
    return `## ${name} (${date})\n\n${text ?? "Nothing changes for partners."}\n`;
  });
  const lead =
    "What changes for partners, by version. [Versioning](/docs/versioning) says what stays.";
  return `# Changelog\n\n${lead}\n\n${parts.join("\n")}`;
}

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
