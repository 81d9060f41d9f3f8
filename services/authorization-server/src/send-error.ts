import { collectAllowedMethods, noteFacts } from "@partner-connect/service-runtime";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { asHttpError, sendMethodNotAllowed } from "./errors.ts";
import { sendErrorPage, sendNotFoundPage } from "./pages/error-page.ts";

/**
 * Sends errors that no route handled, and logs faults and defects. The reason of a refusal is in
 * the log record of the request.
 */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const answer = asHttpError(error);
  noteFacts(request, answer.facts);
  if (answer.status >= 500 && answer !== error) request.log.error({ err: error }, "request failed");
  reply.headers({ "cache-control": "no-store", ...answer.headers });
  if (!request.routeOptions.config.answersJson) {
    const { status, page: kind, detail, client } = answer;
    return sendErrorPage(reply, { status, kind, detail, client });
  }
  noteFacts(request, { error: answer.error });
  return reply.code(answer.status).send({ error: answer.error });
}

/** Responds with 405 with `allow` if the path has routes for other methods, else 404. */
export function answerUnknownRoutes(app: FastifyInstance): void {
  const allowed = collectAllowedMethods(app);
  app.setNotFoundHandler((request, reply) => {
    const allow = allowed(request.url);
    if (allow) return sendMethodNotAllowed(reply, allow);
    noteFacts(request, { reason: "not_found" });
    if (request.headers.accept?.includes("text/html")) return sendNotFoundPage(reply);
    return reply.code(404).send({ error: "not_found" });
  });
}
