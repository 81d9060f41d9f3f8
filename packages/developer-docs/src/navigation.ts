interface Group {
  readonly text: string;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}

/** In VitePress's form of a sidebar: links are below /docs. */
export const NAVIGATION: readonly Group[] = [
  {
    text: "Begin",
    items: [
      { text: "Overview", link: "/" },
      { text: "First connection", link: "/first-connection" },
      { text: "API reference", link: "/reference" },
    ],
  },
  {
    text: "Guides",
    items: [
      { text: "Tokens and their lives", link: "/tokens" },
      { text: "Stay in sync", link: "/sync" },
      { text: "Follow changes", link: "/changes" },
      { text: "Many shops", link: "/many-shops" },
      { text: "Webhooks", link: "/webhooks" },
      { text: "Errors", link: "/errors" },
      { text: "Rate limits", link: "/rate-limits" },
      { text: "Disconnecting", link: "/disconnecting" },
      { text: "Plans and scopes", link: "/plans" },
      { text: "Versioning", link: "/versioning" },
      { text: "Partner pages", link: "/partner-pages" },
      { text: "Test your integration", link: "/test-your-integration" },
      { text: "Going to production", link: "/going-to-production" },
    ],
  },
  {
    text: "Tools",
    items: [
      { text: "TypeScript SDK", link: "/typescript" },
      { text: "Python SDK", link: "/python" },
      { text: "OAuth libraries", link: "/libraries" },
      { text: "Other tools", link: "/tools" },
    ],
  },
];

/** The names of the files in guides/, in the order of the navigation. */
export const GUIDES: readonly string[] = NAVIGATION.flatMap(({ items }) => items.map(({ link }) => link.slice(1)))
  .filter((name) => name !== "reference")
  .map((name) => name || "overview");
