export { STYLESHEET } from "./assets.ts";
export { type DeveloperDocs, type DeveloperDocsOptions, developerDocs } from "./developer-docs.ts";
export type { DocsFile } from "./docs-file.ts";
export { layout as docsLayout, type Page } from "./layout.ts";
export type { ApiDocument } from "./reference/api-document.ts";
