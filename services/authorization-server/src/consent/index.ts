export { AUTHORIZATION_PATH } from "./authorization-paths.ts";
export { type BeginAuthorization, beginAuthorization } from "./begin-authorization.ts";
export type { ApprovedAuthorization, CodeIssuer } from "./code-issuer.ts";
export { type ConsentOptions, consentRoutes } from "./consent.route.ts";
