export { type ConsentOptions, consentRoutes } from "./consent.route.ts";
export type { ApprovedAuthorization, CodeIssuer } from "./decision/code-issuer.ts";
export { AUTHORIZATION_PATH } from "./request/authorization-paths.ts";
export { type BeginAuthorization, beginAuthorization } from "./request/begin-authorization.ts";
