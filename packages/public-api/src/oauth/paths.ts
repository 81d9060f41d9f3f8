/** The protocol's endpoints, from the base URL. */
export const AUTHORIZE_PATH = "/oauth/api/authorize";
export const TOKEN_PATH = "/oauth/api/token";
export const JWKS_PATH = "/oauth/api/jwks";
/** RFC 8414 §3. */
export const METADATA_PATH = "/.well-known/oauth-authorization-server";
/** OpenID Connect Discovery §4: where many libraries look by default. We make no ID tokens, and the metadata names none. */
export const DEFAULT_DISCOVERY_PATH = "/.well-known/openid-configuration";
