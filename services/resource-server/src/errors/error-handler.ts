import { isDefect } from "@partner-connect/service-runtime";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import {
  ApiError,
  challenge,
  internalError,
  malformedRequest,
  payloadTooLarge,
  unavailable,
  unsupportedMediaType,
} from "./api-error.ts";

/** What the wire says about `error`, whatever it is. What is not known as the caller's mistake is a fault: 503. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const status = (error as Partial<FastifyError>)?.statusCode ?? 500;
  if (status === 413) return payloadTooLarge();
  if (status === 415) return unsupportedMediaType();
  if (status >= 400 && status < 500) return malformedRequest("body");
  return isDefect(error) ? internalError() : unavailable();
}

/** Sends the refusal; a fault is logged here and nowhere else. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = asApiError(error);
  if (answer.status >= 500) request.log.error({ err: error }, "request failed");
  reply.code(answer.status).headers(answer.headers);
  const { scope } = request.routeOptions.config;
  // RFC 6750 §3.1. An API key has no scope that its holder could ask for.
  if (answer.body["error"] === "insufficient_scope" && request.caller.kind !== "api_key") {
    reply.headers(challenge('error="insufficient_scope"', `scope="${scope}"`));
  }
  return reply.send(answer.body);
}
