import type { FastifyError, FastifyInstance } from "fastify";
import { faultReason, isDefect } from "../logging/faults.ts";
import { allowedMethods } from "./allowed-methods.ts";
import type { RequestFacts } from "./request-record.ts";

interface ErrorBody {
  readonly error: string;
  readonly error_description?: string;
  /** The parameter, or the field of a record and its line, that is wrong. */
  readonly param?: string;
  readonly field?: string;
  readonly line?: number;
}

/** An error of an API, with the exact body of its response. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: ErrorBody;
  readonly headers: Readonly<Record<string, string>>;
  readonly facts: RequestFacts;

  constructor(
    status: number,
    body: ErrorBody,
    facts: RequestFacts & { readonly reason: string },
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(body.error);
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

/** The presented credential is not valid (RFC 6750 §3.1). */
export const invalidCredential = (reason: string): ApiError =>
  new ApiError(401, { error: "unauthorized" }, { reason }, challenge('error="invalid_token"'));

/** No credential was presented, so the challenge contains no error (RFC 6750 §3.1). */
export const unauthenticated = (): ApiError =>
  new ApiError(401, { error: "unauthorized" }, { reason: "no_credential" }, challenge());

const notFound = (): ApiError => new ApiError(404, { error: "not_found" }, { reason: "not_found" });

/** Design, API: the path has routes only for the methods in `allow` (RFC 9110 §15.5.6). */
const methodNotAllowed = (allow: string): ApiError =>
  new ApiError(405, { error: "method_not_allowed" }, { reason: "method_not_allowed" }, { allow });

const payloadTooLarge = (): ApiError =>
  new ApiError(413, { error: "payload_too_large" }, { reason: "payload_too_large" });

const unsupportedMediaType = (): ApiError =>
  new ApiError(415, { error: "unsupported_media_type" }, { reason: "unsupported_media_type" });

/** The rate limiter sets `retry-after`; other callers pass it in `headers`. */
export const rateLimited = (limit: string, headers: Readonly<Record<string, string>> = {}): ApiError =>
  new ApiError(429, { error: "too_many_requests" }, { reason: "rate_limited", limit }, headers);

const internalError = (): ApiError => new ApiError(500, { error: "internal_error" }, { reason: "defect" });

/** 503: a fault of ours, never a refusal of the credential (design, API). */
export const unavailable = (reason: string, retryAfter = RETRY_AFTER): ApiError =>
  new ApiError(503, { error: "unavailable" }, { reason }, { "retry-after": retryAfter });

/** Maps any error to a response. An error that is neither a refusal nor a defect is a fault (503). `malformedBody` is the API's 400 for a body. */
export function asApiError(error: unknown, malformedBody: () => ApiError): ApiError {
  if (error instanceof ApiError) return error;
  const status = (error as Partial<FastifyError>)?.statusCode ?? 500;
  if (status === 413) return payloadTooLarge();
  if (status === 415) return unsupportedMediaType();
  if (status >= 400 && status < 500) return malformedBody();
  return isDefect(error) ? internalError() : unavailable(faultReason(error));
}

/** Responds with 405 with `allow` if the path has routes for other methods, else 404. Call it before the routes are added. */
export function answerUnknownRoutes(app: FastifyInstance): void {
  const allowed = allowedMethods(app);
  app.setNotFoundHandler((request) => {
    const allow = allowed(request.url);
    throw allow ? methodNotAllowed(allow) : notFound();
  });
}

/** The values of all `Authorization` headers, of which Node's `headers` would hide all but the first. */
export function authorizationValues(rawHeaders: readonly string[]): string[] {
  const values: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.length === 13 && rawHeaders[i]?.toLowerCase() === "authorization") {
      values.push(rawHeaders[i + 1] ?? "");
    }
  }
  return values;
}
