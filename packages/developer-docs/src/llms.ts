import { markdownPathOf, NAVIGATION } from "./navigation.ts";
import { outline } from "./outline.ts";
import type { DocsPage } from "./page.ts";

/** The form of llmstxt.org: what this is, then every page by its Markdown, with what it is about. */
export function llmsText(pages: readonly DocsPage[]): string {
  const groups = NAVIGATION.map(({ heading, entries }) => ({
    heading,
    members: pages.filter((page) => entries.some(({ name }) => name === page.name)),
  }));
  const others = pages.filter((page) => !groups.some(({ members }) => members.includes(page)));
  const [first] = pages;
  return [
    `# Partner Connect\n\n> ${first && outline(first.markdown()).summary}`,
    `All pages in one: [llms-full.txt]({base_url}/docs/llms-full.txt). For programs: [openapi.json]({base_url}/api/openapi.json).`,
    ...[...groups, { heading: "API reference", members: others }]
      .filter(({ members }) => members.length > 0)
      .map(({ heading, members }) => `## ${heading}\n\n${members.map(line).join("\n")}`),
  ].join("\n\n");
}

function line({ name, markdown }: DocsPage): string {
  const { title, summary } = outline(markdown());
  return `- [${title}]({base_url}${markdownPathOf(name)})${summary && `: ${summary}`}`;
}

export function llmsFullText(pages: readonly DocsPage[]): string {
  return pages
    .map(({ name, markdown }) => `<!-- {base_url}${markdownPathOf(name)} -->\n\n${markdown().trim()}\n`)
    .join("\n");
}
