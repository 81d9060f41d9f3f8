/** What the application itself uses. The rooms `sign-in/`, `consent/` and `connected-apps/` import files by name. */
export { assetsRoutes } from "./assets.route.ts";
export { browserSecrets } from "./browser-secret.ts";
export { type ErrorPage, errorPage, notFoundPage } from "./error-page.ts";
export { formTokens } from "./form-token.ts";
export { languageRoute } from "./language.route.ts";
export { logoRoutes } from "./logo.route.ts";
export { type PageLinks, providePageSettings } from "./page-settings.ts";
export { SIGN_IN_PATH } from "./paths.ts";
export { requestRules } from "./request-rules.ts";
