/** Of the authorization request: each is required, and may be given once. */
export type AuthorizeParameter =
  | "response_type"
  | "client_id"
  | "redirect_uri"
  | "scope"
  | "state"
  | "code_challenge"
  | "code_challenge_method";

/** Of the two token requests. */
export type TokenParameter = "grant_type" | "code" | "redirect_uri" | "code_verifier" | "refresh_token" | "scope";

/** RFC 7636 §4.2: the base64url of a SHA-256 is exactly 43 characters. */
export const CODE_CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** RFC 7636 §4.1: 43 to 128 of the unreserved characters. */
export const CODE_VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/;

/** The only values of `response_type` and `code_challenge_method`. */
export const RESPONSE_TYPE = "code";
export const CODE_CHALLENGE_METHOD = "S256";

/** Bytes of UTF-8. It travels in URLs, beside a redirect URI, and through headers of limited size. */
export const MAX_STATE_BYTES = 2048;

/** Of the errors that the browser brings back (RFC 6749 §4.1.2.1), the spec has these two. */
export const AUTHORIZATION_ERRORS = { accessDenied: "access_denied", invalidRequest: "invalid_request" } as const;
