export { guideText, withBaseUrl } from "./guide/guide-page.ts";
export { inlineCodeOf, type Snippet, snippetsOf } from "./guide/snippets.ts";
export { GUIDES } from "./navigation.ts";
export { referenceSamples } from "./reference/samples/samples.ts";
