/** A failure as the wire says it. The body is exact: nothing is ever added to it. */
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

/** Seconds after which a caller may try again after a fault. */
const RETRY_AFTER = "1";

/** RFC 6750 §3: how to authenticate, and what was wrong with how the caller did. */
export const challenge = (...parameters: readonly string[]): { readonly "www-authenticate": string } => ({
  "www-authenticate": ['Bearer realm="partner-connect"', ...parameters].join(", "),
});

/** Spec, API requests: invalid or expired access token; also a malformed one, and an API key that is refused. */
export const unauthorized = (description: string | null = null): ApiError => {
  const described = description === null ? [] : [`error_description="${description}"`];
  return new ApiError(401, { error: "unauthorized" }, challenge('error="invalid_token"', ...described));
};

/** No credential of ours: a caller that did not try to authenticate is told how, and of no error (RFC 6750 §3.1). */
export const unauthenticated = (): ApiError => new ApiError(401, { error: "unauthorized" }, challenge());

/** Spec, API requests: connection revoked or disabled. */
export const forbidden = (): ApiError => new ApiError(403, { error: "forbidden" });

/** Spec, API requests: token scopes do not cover the endpoint. */
export const insufficientScope = (): ApiError => new ApiError(403, { error: "insufficient_scope" });

/** Design, API: a parameter or body that breaks a rule. `param` is its canonical name. */
export const invalidRequest = (param: string, description: string): ApiError =>
  new ApiError(400, { error: "invalid_request", error_description: description, param });

/** The request's `url` or `body` as a whole can't be read. */
export const malformedRequest = (part: "url" | "body"): ApiError =>
  invalidRequest(part, `The request's ${part} is malformed.`);

/** Design, API: no such route. */
export const notFound = (): ApiError => new ApiError(404, { error: "not_found" });

/** Design, API: the route exists, for the methods that `allow` names (RFC 9110 §15.5.6). */
export const methodNotAllowed = (allow: string): ApiError =>
  new ApiError(405, { error: "method_not_allowed" }, { allow });

/** Design, API: the body is larger than any that a route takes. */
export const payloadTooLarge = (): ApiError => new ApiError(413, { error: "payload_too_large" });

/** Design, API: the body is not JSON. */
export const unsupportedMediaType = (): ApiError => new ApiError(415, { error: "unsupported_media_type" });

/** Spec, API requests: rate limit exceeded. The rate limiter sets `retry-after`; any other code passes it in `headers`. */
export const rateLimited = (headers: Readonly<Record<string, string>> = {}): ApiError =>
  new ApiError(429, { error: "too_many_requests" }, headers);

/** Design, API: a defect. */
export const internalError = (): ApiError => new ApiError(500, { error: "internal_error" });

/** Design, API: a fault. It never looks like a refusal of the credential. */
export const unavailable = (retryAfter = RETRY_AFTER): ApiError =>
  new ApiError(503, { error: "unavailable" }, { "retry-after": retryAfter });
