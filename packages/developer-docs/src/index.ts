export { developerDocs } from "./developer-docs.ts";
export type { DocsFile } from "./docs-file.ts";
export { cureOf } from "./guide/cures.ts";
