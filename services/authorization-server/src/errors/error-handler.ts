import { isDefect, noteFacts } from "@partner-connect/service-runtime";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { errorPage, notFoundPage } from "../pages/error-page.ts";
import { badRequest, HttpError, internalError, unavailable } from "./http-error.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route's failures are JSON, whatever `Accept` says. Without this they are pages for a merchant's browser. */
    readonly answersJson?: boolean;
  }
}

/** What the wire says about `error`, whatever it is. What is neither a refusal nor a defect is a fault: 503. */
export function asHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  const status = (error as Partial<FastifyError>)?.statusCode ?? 500;
  if (status >= 400 && status < 500) return badRequest(status);
  return isDefect(error) ? internalError() : unavailable(error);
}

/** Sends what no route has answered by itself. A fault or a defect is logged here and nowhere else; of a refusal the request's record says why. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = asHttpError(error);
  noteFacts(request, answer.facts);
  if (answer.status >= 500 && answer !== error) request.log.error({ err: error }, "request failed");
  reply.headers({ "cache-control": "no-store", ...answer.headers });
  if (!request.routeOptions.config.answersJson) {
    const { status, page: kind, developerDetail, client } = answer;
    return errorPage(reply, { status, kind, developerDetail, client });
  }
  noteFacts(request, { error: answer.error });
  return reply.code(answer.status).send({ error: answer.error });
}

export function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  noteFacts(request, { reason: "not_found" });
  if (request.headers.accept?.includes("text/html")) return notFoundPage(reply);
  return reply.code(404).send({ error: "not_found" });
}
