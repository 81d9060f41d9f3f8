import { isDatabaseFault } from "@partner-connect/database";
import { isRedisFault } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import { UnredirectableError } from "./authorize/authorization-error.ts";
import { errorPage } from "./consent/error-page.ts";
import { InteractionEndedError } from "./provider/mount.ts";

/** Seconds after which it is worth trying again when a store is away. */
const RETRY_AFTER = "2";

/**
 * Every error that no route has answered. A fault of ours is 5xx and says so: it never looks like bad credentials.
 * The token endpoint and the metadata speak JSON whatever `Accept` says; what a merchant's browser sees is a page.
 */
export function answerFailure(
  error: Error & { statusCode?: number },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof UnredirectableError) {
    request.log.info({ reason: error.message }, "authorization request refused");
    return errorPage(request, reply, {
      status: 400,
      kind: error.kind,
      clientName: error.clientName,
      developerDetail: error.message,
    });
  }
  if (error instanceof InteractionEndedError) return errorPage(request, reply, { status: 400, kind: "ended" });
  const failure = classify(error);
  if (failure.status >= 500) request.log.error({ err: error }, "request failed");
  if (failure.status === 503) reply.header("retry-after", RETRY_AFTER);
  reply.header("cache-control", "no-store");
  if (speaksJson(request)) return reply.code(failure.status).send({ error: failure.error });
  return errorPage(request, reply, { status: failure.status, kind: failure.error });
}

export function answerNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!request.headers.accept?.includes("text/html")) return reply.code(404).send({ error: "not_found" });
  return errorPage(request, reply, { status: 404, kind: "not_found" });
}

function classify(error: Error & { statusCode?: number }): {
  status: number;
  error: "unavailable" | "too_many_requests" | "bad_request" | "internal_error";
} {
  if (isDatabaseFault(error) || isRedisFault(error)) return { status: 503, error: "unavailable" };
  if (error.statusCode === 429) return { status: 429, error: "too_many_requests" };
  if (error.statusCode && error.statusCode < 500) return { status: error.statusCode, error: "bad_request" };
  return { status: 500, error: "internal_error" };
}

function speaksJson(request: FastifyRequest): boolean {
  const { url } = request.routeOptions;
  return url === "/oauth/api/token" || url === "/oauth/api/jwks" || Boolean(url?.startsWith("/.well-known/"));
}
