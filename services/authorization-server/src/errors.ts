import {
  faultReason,
  isDefect,
  noteFacts,
  type RequestFacts,
} from "@partner-connect/service-runtime";
import type { FastifyError, FastifyInstance, FastifyReply } from "fastify";
import type { ErrorPage } from "./pages/error-page.ts";

/** A failure, sent as JSON or, on routes that a merchant's browser opens, as a page. */
export class HttpError extends Error {
  readonly status: number;
  readonly error: string;
  readonly page: ErrorPage["kind"];
  readonly headers: Readonly<Record<string, string>>;
  /** Detail for the partner's developers. The page shows it, so it never contains a secret. */
  readonly detail: string | undefined;
  /** The app that made the request or sent the merchant, if it is known. */
  readonly client: ErrorPage["client"];
  readonly facts: RequestFacts;

  constructor(
    status: number,
    error: string,
    page: ErrorPage["kind"],
    facts: RequestFacts & { readonly reason: string },
    options: Partial<Pick<HttpError, "headers" | "detail" | "client">> = {},
  ) {
    super(options.detail ?? error);
    this.status = status;
    this.error = error;
    this.page = page;
    this.headers = options.headers ?? {};
    this.detail = options.detail;
    this.client = options.client;
    this.facts = facts;
  }
}

/** Seconds after which a caller may retry a request that failed with a fault. */
export const RETRY_AFTER_SECONDS = 2;

/** The error for a body that is too large (413), of another type (415), or malformed (400). */
const badRequest = (status: number): HttpError =>
  new HttpError(status, "bad_request", "bad_request", { reason: "unreadable_body" });

/**
 * Maximum bytes of the headers: 32 KB from the client, and room for what the gateway adds. The
 * gateway passes more, so that we send the page; Node refuses more than 64 KB without one.
 */
const HEADER_LIMIT = 40 * 1024;

/**
 * Refuses too large headers with 431 and a page. Other hosts of the domain may set so many cookies
 * that a browser sends headers of this size.
 */
export function refuseLargeHeaders(app: FastifyInstance): void {
  app.addHook("onRequest", ({ raw: { rawHeaders } }, _reply, done) => {
    if (rawHeaders.reduce((bytes, text) => bytes + text.length, 0) <= HEADER_LIMIT) return done();
    const detail = "The request's headers are larger than 32 KB: delete the cookies of this site.";
    const facts = { reason: "headers_too_large" };
    done(new HttpError(431, "invalid_request", "bad_request", facts, { detail }));
  });
}

/** 429 (guides/rate-limits.md). For a route's own limit the rate limiter sets `retry-after`. */
export function tooManyRequests(limit?: string, waitSeconds?: number): HttpError {
  const facts = { reason: "rate_limited", limit };
  const headers = waitSeconds === undefined ? {} : { "retry-after": String(waitSeconds) };
  return new HttpError(429, "too_many_requests", "too_many_requests", facts, { headers });
}

/** The 503 for a fault, or for a limit of ours. It never looks like a refusal of the credential. */
export function unavailable(reason: string): HttpError {
  const headers = { "retry-after": String(RETRY_AFTER_SECONDS) };
  return new HttpError(503, "unavailable", "unavailable", { reason }, { headers });
}

/** Sends 405, as JSON on every route, because a merchant's browser never sends such a request. */
export function sendMethodNotAllowed(reply: FastifyReply, allow: string): FastifyReply {
  noteFacts(reply.request, { reason: "method_not_allowed" });
  reply.headers({ allow, "cache-control": "no-store" });
  return reply.code(405).send({ error: "method_not_allowed" });
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** True if the route's failures are JSON. Default: they are pages. */
    readonly answersJson?: boolean;
  }
}

/** Converts `error`. If it is neither a refusal nor a defect, it is a fault (503). */
export function asHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  const status = (error as Partial<FastifyError>)?.statusCode ?? 500;
  if (status >= 400 && status < 500) return badRequest(status);
  if (isDefect(error))
    return new HttpError(500, "internal_error", "unexpected", { reason: "defect" });
  return unavailable(faultReason(error));
}
