export { type ConsentPagesOptions, consentPages } from "./consent-pages.ts";
export { type ErrorPage, errorPage, notFoundPage } from "./error-page.ts";
export type { PendingAuthorization, PendingAuthorizations } from "./pending-authorization.ts";
