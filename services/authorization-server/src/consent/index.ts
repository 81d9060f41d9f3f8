export { type ErrorPage, errorPage, notFoundPage } from "../merchant-page/error-page.ts";
export { type ConsentPagesOptions, consentPages } from "../merchant-pages.ts";
export { type BeginAuthorization, beginAuthorization } from "./begin-authorization.ts";
export type { ApprovedAuthorization, CodeIssuer } from "./code-issuer.ts";
