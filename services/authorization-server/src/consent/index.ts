export { consentRoutes } from "./consent.route.ts";
export type { CodeIssuer } from "./consent-context.ts";
export { AUTHORIZATION_PATH } from "./request/authorization-paths.ts";
export { beginAuthorization } from "./request/authorization-step.ts";
