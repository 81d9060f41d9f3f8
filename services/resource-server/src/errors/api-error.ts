/** A refusal or a fault as the wire says it. The body is exact: nothing is ever added to it. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) {
    super(body["error"] ?? "error");
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Seconds after which a caller may try again when a dependency was away. */
const RETRY_AFTER = "1";

/** RFC 6750 §3: how to authenticate, and what was wrong with how the caller did. */
export const challenge = (...parameters: readonly string[]): { readonly "www-authenticate": string } => ({
  "www-authenticate": ['Bearer realm="partner-connect"', ...parameters].join(", "),
});

/** Spec, API requests: invalid or expired access token; also a malformed one, and an API key that is refused. */
export const unauthorized = (): ApiError =>
  new ApiError(401, { error: "unauthorized" }, challenge('error="invalid_token"'));

/** No credential of ours: who did not try to authenticate is told how, and of no error (RFC 6750 §3.1). */
export const unauthenticated = (): ApiError => new ApiError(401, { error: "unauthorized" }, challenge());

/** Spec, API requests: connection revoked or disabled. */
export const forbidden = (): ApiError => new ApiError(403, { error: "forbidden" });

/** Spec, API requests: token scopes do not cover the endpoint. */
export const insufficientScope = (): ApiError => new ApiError(403, { error: "insufficient_scope" });

/** Design, API: a parameter or body that breaks a rule. `param` is its canonical name. */
export const invalidRequest = (param: string, description: string): ApiError =>
  new ApiError(400, { error: "invalid_request", error_description: description, param });

/** A part of the request that is no parameter can't be read: its `url`, or its `body`. */
export const malformedRequest = (part: "url" | "body"): ApiError =>
  invalidRequest(part, `The request's ${part} is malformed.`);

export const notFound = (): ApiError => new ApiError(404, { error: "not_found" });

export const methodNotAllowed = (allow: string): ApiError =>
  new ApiError(405, { error: "method_not_allowed" }, { allow });

export const payloadTooLarge = (): ApiError => new ApiError(413, { error: "payload_too_large" });

export const unsupportedMediaType = (): ApiError => new ApiError(415, { error: "unsupported_media_type" });

/** Spec, API requests: rate limit exceeded. Whoever refuses sets `retry-after`; the rate limiter does it by itself. */
export const rateLimited = (headers: Readonly<Record<string, string>> = {}): ApiError =>
  new ApiError(429, { error: "too_many_requests" }, headers);

export const internalError = (): ApiError => new ApiError(500, { error: "internal_error" });

/** A dependency is away: never to be taken for a refusal of the credential. */
export const unavailable = (retryAfter = RETRY_AFTER): ApiError =>
  new ApiError(503, { error: "unavailable" }, { "retry-after": retryAfter });
