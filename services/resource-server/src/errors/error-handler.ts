import type { Queries } from "@partner-connect/database";
import { allowedMethods, isDefect, noteFacts } from "@partner-connect/service-runtime";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { readCallerState, refusal } from "../authorization/caller-state.query.ts";
import type { ProtectedResources } from "../protected-resource.ts";
import {
  ApiError,
  challenge,
  internalError,
  malformedBody,
  methodNotAllowed,
  notFound,
  payloadTooLarge,
  unavailableBy,
  unsupportedMediaType,
} from "./api-error.ts";

interface ErrorHandlerOptions {
  readonly sql: Queries;
  readonly resources: ProtectedResources;
}

export function answerErrors(app: FastifyInstance, { sql, resources }: ErrorHandlerOptions): void {
  app.setErrorHandler(async (error, request, reply) =>
    sendError(await callerFirst(error, request, sql), request, reply, resources),
  );
}

/** Maps any error to an answer. What is neither a refusal nor a defect is a fault (503). */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const status = (error as Partial<FastifyError>)?.statusCode ?? 500;
  if (status === 413) return payloadTooLarge();
  if (status === 415) return unsupportedMediaType();
  if (status >= 400 && status < 500) return malformedBody();
  return isDefect(error) ? internalError() : unavailableBy(error);
}

/** Statuses of refusals that may precede the check of the caller's state. */
const MAYBE_TOO_EARLY = [400, 403, 413, 415];

/** Returns the caller's refusal if there is one, else `error`: see {@link createApp}. */
async function callerFirst(error: unknown, request: FastifyRequest, sql: Queries): Promise<unknown> {
  const { scope } = request.routeOptions.config;
  const { caller } = request;
  if (!scope || !caller || !MAYBE_TOO_EARLY.includes(asApiError(error).status)) return error;
  try {
    const state = await readCallerState(sql, caller, scope);
    return refusal(state) ?? error;
  } catch (fault) {
    return fault;
  }
}

function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  resources: ProtectedResources,
): FastifyReply {
  const answer = asApiError(error);
  noteFacts(request, { ...answer.facts, error: answer.body["error"] });
  if (answer.status >= 500) request.log.error({ err: error }, "request failed");
  reply.code(answer.status).headers(answer.headers);
  const { scope } = request.routeOptions.config;
  // RFC 6750 §3.1. API keys have no scope to request.
  if (answer.body["error"] === "insufficient_scope" && request.caller.kind !== "api_key") {
    reply.headers(challenge('error="insufficient_scope"', `scope="${scope}"`));
  }
  const challenged = reply.getHeader("www-authenticate");
  if (challenged !== undefined) {
    reply.header(
      "www-authenticate",
      `${challenged}, resource_metadata="${resources.calledAt(request.host).metadataUrl}"`,
    );
  }
  return reply.send(answer.body);
}

/** Answers 405 with `allow` if the path has routes for other methods, else 404. */
export function answerUnknownRoutes(app: FastifyInstance): void {
  const allowed = allowedMethods(app);
  app.setNotFoundHandler((request) => {
    const allow = allowed(request.url);
    throw allow ? methodNotAllowed(allow) : notFound();
  });
}
