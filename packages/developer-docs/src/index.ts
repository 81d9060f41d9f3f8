export { cureOf } from "./cures.ts";
export { type DocsFile, docsSite } from "./site.ts";
