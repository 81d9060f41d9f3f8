export { guideText, withBaseUrl } from "./guide/guide-page.ts";
export { type Snippet, snippetsOf } from "./guide/snippets.ts";
export { GUIDES } from "./navigation.ts";
