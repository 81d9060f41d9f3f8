import { readFileSync } from "node:fs";
import { renderMarkdown } from "../guide/markdown.ts";
import { layout } from "../layout.ts";
import { CHANGELOG } from "../navigation.ts";
import type { DocsPage } from "../page.ts";

const FILE = new URL("../../../../CHANGELOG.md", import.meta.url);
export const FEED_PATH = "/docs/changelog.atom";

export interface Release {
  /** Null for what was not released yet. */
  readonly version: string | null;
  /** The day of the release, as the file's heading has it. */
  readonly date: string | null;
  /** What partners see of it. */
  readonly text: string;
}

/** Of CHANGELOG.md, what stands under 'For partners'. Releases without any are left out. */
export function releases(file: string = readFileSync(FILE, "utf8")): Release[] {
  return file
    .split(/^## /m)
    .slice(1)
    .flatMap((part) => {
      const [, version = null, date = null] =
        /^\[(\d\S*)\] - (\d{4}-\d\d-\d\d)$/m.exec(part.split("\n", 1)[0] ?? "") ?? [];
      const kinds = part.split(/^### /m).slice(1).map(forPartners).filter(Boolean);
      return kinds.length > 0 ? [{ version, date, text: kinds.join("\n\n") }] : [];
    });
}

/** Of a kind of changes, such as Added, the groups whose label names partners. */
function forPartners(kind: string): string {
  const [heading = "", ...groups] = kind.split(/^\*\*(?=.+\*\*$)/m);
  const kept = groups
    .filter((group) => /^[^\n]*partners/.test(group))
    .map((group) => group.slice(group.indexOf("\n")).trim());
  return kept.length > 0 ? `### ${heading.trim()}\n\n${kept.join("\n")}` : "";
}

export function changelogPage(): DocsPage {
  const markdown = () =>
    [
      `# ${CHANGELOG.label}\n\nWhat changed for partners, with the release that brought it. [A feed]({base_url}${FEED_PATH}) tells of each release.`,
      ...releases().map(
        ({ version, date, text }) => `## ${version ? `${version}, ${date}` : "Not released yet"}\n\n${text}`,
      ),
    ].join("\n\n");
  return {
    name: CHANGELOG.name,
    markdown,
    html() {
      const { title, body, headings } = renderMarkdown(markdown());
      return layout({ name: CHANGELOG.name, title, headings, main: body, feed: FEED_PATH });
    },
  };
}
