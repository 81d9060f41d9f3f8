import type { FastifyError, FastifyInstance } from "fastify";
import { faultReason, isDefect } from "../logging/faults.ts";
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
export const challenge = (
  ...parameters: readonly string[]
): { readonly "www-authenticate": string } => ({
  "www-authenticate": ['Bearer realm="partner-connect"', ...parameters].join(", "),
});

/** The presented credential is not valid (RFC 6750 §3.1). */
export const refusedCredential = (reason: string): ApiError =>
  new ApiError(401, { error: "unauthorized" }, { reason }, challenge('error="invalid_token"'));

/** No credential was presented, so the challenge contains no error (RFC 6750 §3.1). */
export const noCredential = (): ApiError =>
  new ApiError(401, { error: "unauthorized" }, { reason: "no_credential" }, challenge());

const refusal = (status: number, error: string, headers?: Readonly<Record<string, string>>) =>
  new ApiError(status, { error }, { reason: error }, headers);

/** The rate limiter sets `retry-after`; other callers pass it in `headers`. */
export const rateLimited = (limit: string, headers: Readonly<Record<string, string>> = {}) =>
  new ApiError(429, { error: "too_many_requests" }, { reason: "rate_limited", limit }, headers);

/** 503: a fault of ours, never a refusal of the credential (design, API). */
export const unavailable = (reason: string, retryAfter = RETRY_AFTER): ApiError =>
  new ApiError(503, { error: "unavailable" }, { reason }, { "retry-after": retryAfter });

/**
 * Maps any error to a response. An error that is neither a refusal nor a defect is a fault (503).
 * `malformedBody` is the API's 400 for a body.
 */
export function asApiError(error: unknown, malformedBody: () => ApiError): ApiError {
  if (error instanceof ApiError) return error;
  const status = (error as Partial<FastifyError>)?.statusCode ?? 500;
  if (status === 413) return refusal(413, "payload_too_large");
  if (status === 415) return refusal(415, "unsupported_media_type");
  if (status >= 400 && status < 500) return malformedBody();
  if (isDefect(error)) return new ApiError(500, { error: "internal_error" }, { reason: "defect" });
  return unavailable(faultReason(error));
}

/**
 * Responds with 405 with `allow` if the path has routes for other methods (RFC 9110 §15.5.6), else
 * 404. Call it before the routes are added.
 */
export function answerUnknownRoutes(app: FastifyInstance): void {
  const allowed = collectAllowedMethods(app);
  app.setNotFoundHandler((request) => {
    const allow = allowed(request.url);
    throw allow ? refusal(405, "method_not_allowed", { allow }) : refusal(404, "not_found");
  });
}

/** The values of all headers with this name: Node's `headers` hides repeated ones, or joins them. */
export function headerValues(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name);
}

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * The route answers methods that its path does not have, so that they count against the path's
     * rate limit.
     */
    readonly isMethodRefusal?: true;
  }
}

/**
 * Call it before the routes are added. The returned function takes a request's target and returns
 * the value of `Allow` (RFC 9110 §10.2.1), or null if the path has no route.
 */
export function collectAllowedMethods(app: FastifyInstance): (target: string) => string | null {
  const routes: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = [];
  app.addHook("onRoute", ({ url, method, config }) => {
    if (config?.isMethodRefusal) return;
    const pattern = url.replace(/:\w+|./g, (part) => {
      if (part === "*") return ".*";
      return part.length > 1 ? "[^/]+" : RegExp.escape(part);
    });
    routes.push({ pattern: new RegExp(`^${pattern}$`), methods: [method].flat() });
  });
  return (target) => {
    const [path = ""] = target.split("?", 1);
    const methods = routes
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((route) => route.methods);
    return methods.length > 0 ? [...new Set(methods)].join(", ") : null;
  };
}
