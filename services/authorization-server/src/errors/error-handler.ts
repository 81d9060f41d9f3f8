import { isDefect } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import { UnredirectableError } from "../authorize/authorization-error.ts";
import { type ErrorPage, errorPage, notFoundPage } from "../merchant-page/index.ts";

/** Seconds after which it is worth trying again when a store is away. */
const RETRY_AFTER = "2";

interface Failure {
  readonly status: number;
  /** The wire's `error` where JSON is spoken. */
  readonly error: string;
  /** The page where it isn't. */
  readonly kind: ErrorPage["kind"];
}

/**
 * Every error that no route has answered. What is not known as the caller's mistake is a fault, 503: it never looks like
 * bad credentials.
 * The token endpoint and the metadata speak JSON whatever `Accept` says; what a merchant's browser sees is a page.
 */
export function answerFailure(
  error: Error & { statusCode?: number },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const requestId = request.id;
  if (error instanceof UnredirectableError) {
    request.log.info({ reason: error.message }, "authorization request refused");
    const kind = error.kind === "client_disabled" ? "client_disabled" : "invalid_link";
    return errorPage(reply, { status: 400, kind, requestId, developerDetail: error.message });
  }
  const { status, error: code, kind } = classify(error);
  if (status >= 500) request.log.error({ err: error }, "request failed");
  if (status === 503) reply.header("retry-after", RETRY_AFTER);
  reply.header("cache-control", "no-store");
  if (speaksJson(request)) return reply.code(status).send({ error: code });
  return errorPage(reply, { status, kind, requestId });
}

export function answerNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (request.headers.accept?.includes("text/html")) return notFoundPage(reply);
  return reply.code(404).send({ error: "not_found" });
}

function classify(error: Error & { statusCode?: number }): Failure {
  const { statusCode = 500 } = error;
  if (statusCode === 429) return { status: 429, error: "too_many_requests", kind: "too_many_requests" };
  if (statusCode < 500) return { status: statusCode, error: "bad_request", kind: "bad_request" };
  if (isDefect(error)) return { status: 500, error: "internal_error", kind: "unexpected" };
  return { status: 503, error: "unavailable", kind: "unavailable" };
}

function speaksJson(request: FastifyRequest): boolean {
  const { url } = request.routeOptions;
  return url === "/oauth/api/token" || url === "/oauth/api/jwks" || Boolean(url?.startsWith("/.well-known/"));
}
