export {
  AUTHORIZATION_ERRORS,
  type AuthorizeParameter,
  CODE_CHALLENGE,
  CODE_CHALLENGE_METHOD,
  CODE_VERIFIER,
  MAX_STATE_BYTES,
  RESPONSE_TYPE,
  type TokenParameter,
} from "./oauth/authorization-parameters.ts";
export { AUTHORIZE_PATH, DEFAULT_DISCOVERY_PATH, JWKS_PATH, METADATA_PATH, TOKEN_PATH } from "./oauth/paths.ts";
export { GRANT_REVOKED, REFRESH_TOKEN_EXPIRED, TOKEN_ERROR_STATUS, type TokenErrorCode } from "./oauth/token-errors.ts";
export { BASE_URL, DOCUMENT_FILE, type PublicUrls, servedDocument } from "./served-document.ts";
export { TOOL_FILES } from "./tool-files.ts";
