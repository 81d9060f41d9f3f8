import { faultReason, type RequestFacts } from "@partner-connect/service-runtime";

/** A failure as the wire says it. The body is exact: nothing is ever added to it. */
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

/** Seconds after which a caller may try again after a fault. */
const RETRY_AFTER = "1";

/** RFC 6750 §3: how to authenticate, and what was wrong with how the caller did. */
export const challenge = (...parameters: readonly string[]): { readonly "www-authenticate": string } => ({
  "www-authenticate": ['Bearer realm="partner-connect"', ...parameters].join(", "),
});

/** Spec, API requests: invalid or expired access token; also a malformed one, and an API key that is refused. */
export const unauthorized = (reason: CredentialReason, description: string | null = null): ApiError => {
  const described = description === null ? [] : [`error_description="${description}"`];
  return new ApiError(401, { error: "unauthorized" }, { reason }, challenge('error="invalid_token"', ...described));
};

/** No credential of ours: a caller that did not try to authenticate is told how, and of no error (RFC 6750 §3.1). */
export const unauthenticated = (): ApiError =>
  new ApiError(401, { error: "unauthorized" }, { reason: "no_credential" }, challenge());

export const forbidden = (reason: CallerReason): ApiError => new ApiError(403, { error: "forbidden" }, { reason });

export const insufficientScope = (reason: ScopeReason): ApiError =>
  new ApiError(403, { error: "insufficient_scope" }, { reason });

/** Design, API: a parameter or body that breaks a rule. `param` is its canonical name, or of a time the sent one. */
export const invalidRequest = (param: string, description: string, reason = "invalid_parameter"): ApiError =>
  new ApiError(400, { error: "invalid_request", error_description: description, param }, { reason, param });

export const malformedBody = (): ApiError =>
  invalidRequest("body", "The request's body is malformed.", "malformed_body");

export const notFound = (): ApiError => new ApiError(404, { error: "not_found" }, { reason: "not_found" });

/** Design, API: the route exists, for the methods that `allow` names (RFC 9110 §15.5.6). */
export const methodNotAllowed = (allow: string): ApiError =>
  new ApiError(405, { error: "method_not_allowed" }, { reason: "method_not_allowed" }, { allow });

export const payloadTooLarge = (): ApiError =>
  new ApiError(413, { error: "payload_too_large" }, { reason: "payload_too_large" });

export const unsupportedMediaType = (): ApiError =>
  new ApiError(415, { error: "unsupported_media_type" }, { reason: "unsupported_media_type" });

/** Spec, API requests: rate limit exceeded. The rate limiter sets `retry-after`; any other code passes it in `headers`. */
export const rateLimited = (limit: Limit, headers: Readonly<Record<string, string>> = {}): ApiError =>
  new ApiError(429, { error: "too_many_requests" }, { reason: "rate_limited", limit }, headers);

export const internalError = (): ApiError => new ApiError(500, { error: "internal_error" }, { reason: "defect" });

/** Design, API: a fault. It never looks like a refusal of the credential. */
export const unavailable = (reason: FaultReason, retryAfter = RETRY_AFTER): ApiError =>
  new ApiError(503, { error: "unavailable" }, { reason }, { "retry-after": retryAfter });

export const unavailableBy = (error: unknown): ApiError => unavailable(faultReason(error));

/** Why a call was refused or failed, for the log and the metrics, where the wire says less. Each set is closed: the words are labels. */

/** 401: what is wrong with the credential. */
export type CredentialReason = TokenReason | ApiKeyReason | "malformed_credential";

export type TokenReason =
  /** Not of the form of our access tokens, or with claims that ours don't have. */
  | "malformed_token"
  | "token_expired"
  /** Issued in the future: a clock is wrong. */
  | "token_not_yet_valid"
  | "wrong_issuer"
  | "wrong_audience"
  /** The authorization server publishes no such key, or no longer. */
  | "unknown_key"
  | "bad_signature";

export type ApiKeyReason = "unknown_api_key" | "revoked_api_key";

/** 403: what has become of the caller since the credential was made. */
export type CallerReason =
  | "connection_revoked"
  /** Approved, and no code was exchanged since. */
  | "connection_not_exchanged"
  | "connection_disabled"
  /** The connection was revoked or held since, and connected anew: this token is from before. */
  | "token_superseded"
  | "client_disabled"
  | "unknown_connection";

/** 403, and who lacks the scope. */
type ScopeReason = "token_lacks_scope" | "connection_lacks_scope" | "plan_lacks_scope";

type Limit = "api" | "concurrent_requests";

/** 503: what we lack ourselves. Other faults: `faultReason`. */
export type FaultReason = "too_many_requests" | "positions_unavailable" | (string & {});
