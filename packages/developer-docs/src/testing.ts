export { guideText, withBaseUrl } from "./guides.ts";
export { GUIDES } from "./navigation.ts";
export { inlineCodeOf, referenceSamples, type Snippet, snippetsOf } from "./snippets.ts";
