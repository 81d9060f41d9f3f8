export { assetsRoutes } from "./assets/assets.route.ts";
export { logoRoutes } from "./assets/logo.route.ts";
export { type ErrorPage, errorPage, notFoundPage } from "./errors/error-page.ts";
export { browserSecrets, formTokens } from "./forms/form-token.ts";
export { requestRules } from "./forms/request-rules.ts";
export { providePageSettings } from "./frame/page-frame.ts";
export { SIGN_IN_PATH } from "./paths.ts";
export { languageRoute } from "./texts/language.route.ts";
