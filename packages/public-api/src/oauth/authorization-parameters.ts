/** RFC 7636 §4.2: the base64url of a SHA-256 is exactly 43 characters. */
export const CODE_CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** RFC 7636 §4.1: 43 to 128 of the unreserved characters. */
export const CODE_VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/;

/** The only values of `response_type` and `code_challenge_method`. */
export const RESPONSE_TYPE = "code";
export const CODE_CHALLENGE_METHOD = "S256";

/** Bytes of UTF-8. It travels in URLs, beside a redirect URI, and through headers of limited size. */
export const MAX_STATE_BYTES = 2048;

/** Of the error that the browser brings back: RFC 6749 §4.1.2.1. */
export const AUTHORIZATION_ERRORS = ["access_denied", "invalid_request"] as const;
