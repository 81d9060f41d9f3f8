import type { IncomingMessage } from "node:http";

export { AUTHORIZE_PATH, TOKEN_PATH } from "@partner-connect/contract/openapi";

/** Refreshes many tokens in one call. */
export const TOKEN_BATCH_PATH = "/oauth/api/token/batch";
/** RFC 7009. */
export const REVOCATION_PATH = "/oauth/api/revoke";
export const CONNECTIONS_PATH = "/oauth/api/connections";
export const CHANGES_PATH = "/oauth/api/changes";
export const JWKS_PATH = "/oauth/api/jwks";
/** RFC 8414 §3. */
export const METADATA_PATH = "/.well-known/oauth-authorization-server";
/**
 * OpenID Connect Discovery §4. Many libraries look here by default. We issue no ID tokens, and the
 * metadata names none.
 */
export const DEFAULT_DISCOVERY_PATH = "/.well-known/openid-configuration";

export type AuthorizeParameter =
  | "response_type"
  | "client_id"
  | "redirect_uri"
  | "scope"
  | "state"
  | "code_challenge"
  | "code_challenge_method";

/** Parameters of an authorization request that are never refused. */
export type AuthorizeHint = "login_hint" | "ui_locales";

/** Matches an email address that the sign-in form accepts. */
export const LOGIN_HINT_PATTERN: RegExp = /^[^\p{C}\s@]{1,252}@[^\p{C}\s@]{1,252}(?<=^.{3,254})$/u;

/** Matches BCP 47 tags separated by single spaces. */
export const UI_LOCALES_PATTERN: RegExp =
  /^(?=.{2,200}$)[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*( [A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)*$/;

export type TokenParameter =
  | "grant_type"
  | "code"
  | "redirect_uri"
  | "code_verifier"
  | "refresh_token"
  | "scope";

export type RevocationParameter = "token" | "token_type_hint";

/** The maximum number of refresh tokens in a batch. */
export const MAX_BATCH = 1000;

/** RFC 7636 §4.2: the base64url of a SHA-256 is exactly 43 characters. */
export const CODE_CHALLENGE_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** RFC 7636 §4.1: 43 to 128 of the unreserved characters. */
export const CODE_VERIFIER_PATTERN = /^[A-Za-z0-9\-._~]{43,128}$/;

/** The only values of `response_type` and `code_challenge_method`. */
export const RESPONSE_TYPE = "code";
export const CODE_CHALLENGE_METHOD = "S256";

/** Maximum bytes of UTF-8. Small, because servers limit the size of URLs and `Location`. */
export const MAX_STATE_BYTES = 2048;

/** The errors of RFC 6749 §4.1.2.1 that we send. */
export const AUTHORIZATION_ERRORS = {
  accessDenied: "access_denied",
  invalidRequest: "invalid_request",
} as const;

/** The token endpoint's error codes, each with its status (guides/errors.md). */
export const TOKEN_ERROR_STATUS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
} as const;

export type TokenErrorCode = keyof typeof TOKEN_ERROR_STATUS;

/**
 * The description of every `invalid_client` but one. It names the most frequent mistakes, and
 * discloses nothing about the client.
 */
export const CLIENT_AUTHENTICATION_FAILED =
  "client authentication failed: send client_id and client_secret by HTTP Basic, and nowhere else";

/** The description for a disabled client that sent the right secret. */
export const CLIENT_DISABLED =
  "this client is disabled: its secret is right, and its connections are kept until it is enabled again";

/**
 * These descriptions of `invalid_grant` are stable. The first two mean that the merchant must
 * reconnect, unless `grant revoked` is due to a hold (guides/errors.md). The third means that a
 * newer approval has replaced the grant.
 */
export const REFRESH_TOKEN_EXPIRED = "refresh token expired";
export const GRANT_REVOKED = "grant revoked";
export const SUPERSEDED = "superseded by a newer authorization";

/** Maximum number of seconds that a call may wait for changes. */
export const MAX_WAIT_SECONDS = 25;

/** The statuses of a connection in the partner API. */
export const CONNECTION_STATUSES = [
  "connected",
  "approved",
  "expired",
  "disabled",
  "revoked",
] as const;

/** The description of `cursor_expired`, for people. */
export const CURSOR_EXPIRED =
  "what you have read is gone from our database: read changes from the beginning, without after";

/** The parameters in a request's URL, as sent. */
export function queryOf({ url = "" }: IncomingMessage): URLSearchParams {
  return new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "");
}
