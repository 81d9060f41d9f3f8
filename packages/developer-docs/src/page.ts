import type { Html } from "@partner-connect/service-runtime/html";

/** A page in its two forms. Where our address stands, both have `{base_url}`. */
export interface DocsPage {
  /** Below /docs, as in the navigation. */
  readonly name: string;
  readonly markdown: () => string;
  readonly html: () => Html;
}
