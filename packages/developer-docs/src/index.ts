export { type DocsFile, docsSite } from "./site.ts";
