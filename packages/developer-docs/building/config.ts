import { defineConfig } from "vitepress";
import { NAVIGATION } from "../src/navigation.ts";
import { BASE_URL, ICON_URL, NAME } from "../src/site.ts";
import { operationLinks } from "./reference.ts";

/** Guides link to fragments of this form. */
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

// No function in themeConfig: VitePress would send its text to the browser and evaluate it there,
// which our CSP forbids.
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
        miniSearch: {
          searchOptions: { combineWith: "AND", boost: { title: 4, titles: 2, text: 1 } },
        },
      },
    },
    docFooter: { prev: "Before", next: "Next" },
  },
});
