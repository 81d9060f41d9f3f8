export { developerDocs } from "./developer-docs.ts";
export type { DocsFile } from "./docs-file.ts";
export { layout as docsLayout } from "./layout.ts";
