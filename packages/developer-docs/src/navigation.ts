export interface Entry {
  /** Below /docs. Empty for the first page. */
  readonly name: string;
  readonly label: string;
}

export interface Group {
  readonly heading: string;
  readonly entries: readonly Entry[];
}

export const REFERENCE: Entry = { name: "reference", label: "API reference" };

export const CHANGELOG: Entry = { name: "changelog", label: "What changed" };

export const NAVIGATION: readonly Group[] = [
  {
    heading: "Begin",
    entries: [{ name: "", label: "Overview" }, { name: "first-connection", label: "First connection" }, REFERENCE],
  },
  {
    heading: "Guides",
    entries: [
      { name: "tokens", label: "Tokens and their lives" },
      { name: "sync", label: "Stay in sync" },
      { name: "changes", label: "Follow changes" },
      { name: "many-shops", label: "Many shops" },
      { name: "webhooks", label: "Webhooks" },
      { name: "errors", label: "Errors" },
      { name: "rate-limits", label: "Rate limits" },
      { name: "disconnecting", label: "Disconnecting" },
      { name: "plans", label: "Plans and scopes" },
      { name: "versioning", label: "Versioning" },
      { name: "partner-pages", label: "Partner pages" },
      { name: "test-your-integration", label: "Test your integration" },
      { name: "going-to-production", label: "Going to production" },
      CHANGELOG,
    ],
  },
  {
    heading: "Tools",
    entries: [
      { name: "typescript", label: "TypeScript SDK" },
      { name: "python", label: "Python SDK" },
      { name: "libraries", label: "OAuth libraries" },
      { name: "tools", label: "Other tools" },
    ],
  },
];

const ENTRIES = NAVIGATION.flatMap(({ entries }) => entries);

export const GUIDES: readonly string[] = ENTRIES.filter((entry) => entry !== REFERENCE && entry !== CHANGELOG).map(
  ({ name }) => name,
);

export function pathOf(name: string): string {
  return name === "" ? "/docs" : `/docs/${name}`;
}

/** Where a page is as Markdown. */
export function markdownPathOf(name: string): string {
  return `/docs/${name || "overview"}.md`;
}

export function neighbours(name: string): { readonly before: Entry | undefined; readonly after: Entry | undefined } {
  const index = ENTRIES.findIndex((entry) => entry.name === name);
  if (index < 0) return { before: undefined, after: undefined };
  return { before: ENTRIES[index - 1], after: ENTRIES[index + 1] };
}
