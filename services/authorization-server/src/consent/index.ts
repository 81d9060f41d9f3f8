export { consentRoutes } from "./consent.route.ts";
export type { CodeIssuer } from "./decision/code-issuer.ts";
export { AUTHORIZATION_PATH } from "./request/authorization-paths.ts";
export { beginAuthorization } from "./request/authorization-step.ts";
