import { ApiError, refusedCredential as refused } from "@partner-connect/service-runtime";

export { ApiError };

/** An invalid, expired or malformed access token, or a refused API key (guides/errors.md). */
export const refusedCredential = (reason: CredentialReason): ApiError => refused(reason);

export const forbidden = (reason: CallerReason): ApiError =>
  new ApiError(403, { error: "forbidden" }, { reason });

export const insufficientScope = (reason: ScopeReason): ApiError =>
  new ApiError(403, { error: "insufficient_scope" }, { reason });

/** Design, API: a parameter or the body is invalid. `param` is the name sent, even a legacy one. */
export function invalidRequest(param: string, description: string, reason = "invalid_parameter") {
  const body = { error: "invalid_request", error_description: description, param };
  return new ApiError(400, body, { reason, param });
}

/** The refusal of a parameter or body that doesn't match its schema. */
export const invalidInput = (name: string, problem: string): ApiError =>
  invalidRequest(name, name === "body" ? `The body ${problem}.` : `${name} ${problem}.`);

export const malformedBody = (): ApiError =>
  invalidRequest("body", "The request's body is malformed.", "malformed_body");

/**
 * Reasons for the log and the metrics, more detailed than the response. The sets are closed,
 * because they are metric labels.
 */

/** Reasons of a 401. */
export type CredentialReason = TokenReason | ApiKeyReason | "malformed_credential";

export type TokenReason =
  | "malformed_token"
  | "token_expired"
  /** The token's issue date is in the future, so a clock is wrong. */
  | "token_not_yet_valid"
  | "wrong_issuer"
  | "wrong_audience"
  /** The authorization server does not publish this key. */
  | "unknown_key"
  | "bad_signature";

export type ApiKeyReason = "unknown_api_key" | "revoked_api_key";

/** Reasons of a 403 that are due to the caller's state. */
export type CallerReason =
  | "connection_revoked"
  /** The merchant approved, but no code was exchanged. */
  | "connection_not_exchanged"
  | "connection_disabled"
  /** The token is older than a revocation or hold that has since ended. */
  | "token_superseded"
  | "client_disabled"
  | "unknown_connection";

/** Reasons of `insufficient_scope`: where the scope is missing. */
type ScopeReason = "token_lacks_scope" | "connection_lacks_scope" | "plan_lacks_scope";
