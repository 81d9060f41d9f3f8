import { faultReason, type RequestFacts } from "@partner-connect/service-runtime";

/** An error with the exact body of its answer. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly facts: RequestFacts;

  constructor(
    status: number,
    body: Readonly<Record<string, string>>,
    facts: RequestFacts & { readonly reason: string },
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(body["error"] ?? "error");
    this.status = status;
    this.body = body;
    this.facts = facts;
    this.headers = headers;
  }
}

const RETRY_AFTER = "1";

/** RFC 6750 §3. */
export const challenge = (...parameters: readonly string[]): { readonly "www-authenticate": string } => ({
  "www-authenticate": ['Bearer realm="partner-connect"', ...parameters].join(", "),
});

/** Spec, API requests: an invalid, expired or malformed access token, or a refused API key. */
export const unauthorized = (reason: CredentialReason, description: string | null = null): ApiError => {
  const described = description === null ? [] : [`error_description="${description}"`];
  return new ApiError(401, { error: "unauthorized" }, { reason }, challenge('error="invalid_token"', ...described));
};

/** No credential was presented, so the challenge contains no error (RFC 6750 §3.1). */
export const unauthenticated = (): ApiError =>
  new ApiError(401, { error: "unauthorized" }, { reason: "no_credential" }, challenge());

export const forbidden = (reason: CallerReason): ApiError => new ApiError(403, { error: "forbidden" }, { reason });

export const insufficientScope = (reason: ScopeReason): ApiError =>
  new ApiError(403, { error: "insufficient_scope" }, { reason });

/** Design, API: an invalid parameter or body. `param` is the canonical name, except that times keep the name that was sent. */
export const invalidRequest = (param: string, description: string, reason = "invalid_parameter"): ApiError =>
  new ApiError(400, { error: "invalid_request", error_description: description, param }, { reason, param });

export const malformedBody = (): ApiError =>
  invalidRequest("body", "The request's body is malformed.", "malformed_body");

export const notFound = (): ApiError => new ApiError(404, { error: "not_found" }, { reason: "not_found" });

/** Design, API: the path has routes only for the methods in `allow` (RFC 9110 §15.5.6). */
export const methodNotAllowed = (allow: string): ApiError =>
  new ApiError(405, { error: "method_not_allowed" }, { reason: "method_not_allowed" }, { allow });

export const payloadTooLarge = (): ApiError =>
  new ApiError(413, { error: "payload_too_large" }, { reason: "payload_too_large" });

export const unsupportedMediaType = (): ApiError =>
  new ApiError(415, { error: "unsupported_media_type" }, { reason: "unsupported_media_type" });

/** Spec, API requests: rate limit exceeded. The rate limiter sets `retry-after`; other callers pass it in `headers`. */
export const rateLimited = (limit: Limit, headers: Readonly<Record<string, string>> = {}): ApiError =>
  new ApiError(429, { error: "too_many_requests" }, { reason: "rate_limited", limit }, headers);

export const internalError = (): ApiError => new ApiError(500, { error: "internal_error" }, { reason: "defect" });

/** 503: a fault of ours, never a refusal of the credential (design, API). */
export const unavailable = (reason: FaultReason, retryAfter = RETRY_AFTER): ApiError =>
  new ApiError(503, { error: "unavailable" }, { reason }, { "retry-after": retryAfter });

export const unavailableBy = (error: unknown): ApiError => unavailable(faultReason(error));

/** Reasons for the log and the metrics, more detailed than the answer. The sets are closed, because they are metric labels. */

/** 401: what is wrong with the credential. */
export type CredentialReason = TokenReason | ApiKeyReason | "malformed_credential";

export type TokenReason =
  | "malformed_token"
  | "token_expired"
  /** Issued in the future, so a clock is wrong. */
  | "token_not_yet_valid"
  | "wrong_issuer"
  | "wrong_audience"
  /** The authorization server does not publish this key. */
  | "unknown_key"
  | "bad_signature";

export type ApiKeyReason = "unknown_api_key" | "revoked_api_key";

/** 403: the state of the caller. */
export type CallerReason =
  | "connection_revoked"
  /** Approved, but no code was exchanged. */
  | "connection_not_exchanged"
  | "connection_disabled"
  /** The token was issued before a revocation or hold that has since ended. */
  | "token_superseded"
  | "client_disabled"
  | "unknown_connection";

/** 403: what lacks the scope. */
type ScopeReason = "token_lacks_scope" | "connection_lacks_scope" | "plan_lacks_scope";

type Limit = "api" | "concurrent_requests";

/** 503. Other faults: `faultReason`. */
export type FaultReason = "too_many_requests" | "positions_unavailable" | (string & {});
