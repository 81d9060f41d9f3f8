import { defineConfig } from "vitepress";
import { NAVIGATION } from "../src/navigation.ts";
import { BASE_URL, ICON_URL, NAME } from "../src/site.ts";
import { operationLinks } from "./reference.ts";

/** The fragment of a heading, in the form that guides use in links. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");

const REFERENCE = [
  { text: "API reference", items: [{ text: "Overview", link: "/reference" }] },
  ...operationLinks(),
  { text: "Objects", items: [{ text: "All objects", link: "/reference/objects" }] },
];

/** Words that readers search for on these pages, which use other words or use them further down. */
const SYNONYMS: Readonly<Record<string, string>> = {
  concepts: "time zone",
  errors: "retry retries backoff",
  limits: "concurrency concurrent",
  "personal-data": "GDPR privacy",
  plans: "downgrade upgrade permission",
  "security-and-support": "rotate rotation of keys and secrets, key, IP allowlist",
  sync: "backfill historical data, initial import",
  "test-your-integration": "sandbox staging CI",
  webhooks: "local development, ngrok",
};

// themeConfig has no functions but those with `_`, which VitePress uses in the build. It would send
// the text of others to the browser to evaluate it there, which our CSP forbids.
export default defineConfig({
  base: "/docs/",
  lang: "en",
  titleTemplate: `:title · ${NAME}`,
  title: NAME,
  description: "Connect merchants' shops and read their survey responses.",
  cleanUrls: true,
  rewrites: { "overview.md": "index.md" },
  head: [["link", { rel: "icon", href: ICON_URL }]],
  transformHead: ({ pageData: { filePath } }) =>
    filePath
      ? [["link", { rel: "alternate", type: "text/markdown", href: `/docs/${filePath}` }]]
      : [],
  markdown: {
    anchor: { slugify: slugOf },
    externalLinks: { target: "_self", rel: "" },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    // Shiki leaves a line uncoloured that takes over 500 ms, as on a busy machine.
    shikiSetup(highlighter) {
      const { codeToHtml } = highlighter;
      highlighter.codeToHtml = (code, options) =>
        codeToHtml(code, { ...options, tokenizeTimeLimit: 0 });
    },
  },
  themeConfig: {
    nav: [
      { text: "Guides", link: "/", activeMatch: "^/docs/(?!reference)" },
      { text: "API reference", link: "/reference", activeMatch: "^/docs/reference" },
      { text: "Partner pages", link: `${BASE_URL}/partner`, target: "_self", noIcon: true },
    ],
    sidebar: { "/reference": REFERENCE, "/": NAVIGATION },
    outline: { level: [2, 3], label: "On this page" },
    editLink: { pattern: `${BASE_URL}/docs/:path`, text: "This page as Markdown" },
    search: {
      provider: "local",
      options: {
        /** The page's text for the index, without the details, which repeat errors. */
        async _render(markdown, env, md) {
          const html = await md.renderAsync(markdown, env);
          const words = SYNONYMS[env.relativePath.replace(/\.md$/, "")] ?? "";
          return html
            .replaceAll(/<details.*?<\/details>/gs, "")
            .replace("</h1>", `</h1> ${`${words} `.repeat(4)}`);
        },
        miniSearch: {
          searchOptions: { combineWith: "AND", boost: { title: 4, titles: 2, text: 1 } },
        },
      },
    },
    docFooter: { prev: "Before", next: "Next" },
  },
});
