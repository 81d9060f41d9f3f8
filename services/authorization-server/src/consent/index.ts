export { type BeginAuthorization, beginAuthorization } from "./begin-authorization.ts";
export type { ApprovedAuthorization, CodeIssuer } from "./code-issuer.ts";
export { type ConsentPagesOptions, consentPages } from "./consent-pages.ts";
export { type ErrorPage, errorPage, notFoundPage } from "./error-page.ts";
