import type { Queries } from "@partner-connect/database";
import { asApiError, challenge, noteFacts } from "@partner-connect/service-runtime";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { readCallerState, refusalOf } from "../authorization/caller-state.query.ts";
import { type CalledUrl, metadataUrl } from "../protected-resource.ts";
import { malformedBody } from "./api-error.ts";

export function answerErrors(app: FastifyInstance, sql: Queries, called: CalledUrl): void {
  app.setErrorHandler(async (error, request, reply) =>
    sendError(await orCallerRefusal(error, request, sql), request, reply, called),
  );
}

/** Replaces a 400, 413, 415 or missing scope by the caller's refusal, if any: {@link createApp}. */
async function orCallerRefusal(error: unknown, request: FastifyRequest, sql: Queries) {
  const { scope } = request.routeOptions.config;
  const { caller } = request;
  const { status, facts } = asApiError(error, malformedBody);
  const yieldsToCaller = [400, 413, 415].includes(status) || facts?.reason === "token_lacks_scope";
  if (!scope || !caller || !yieldsToCaller) return error;
  try {
    const state = await readCallerState(sql, caller, scope);
    return refusalOf(state) ?? error;
  } catch (fault) {
    return fault;
  }
}

function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  called: CalledUrl,
): FastifyReply {
  const answer = asApiError(error, malformedBody);
  noteFacts(request, { ...answer.facts, error: answer.body.error });
  if (answer.status >= 500) request.log.error({ err: error }, "request failed");
  reply.code(answer.status).headers(answer.headers);
  const { scope } = request.routeOptions.config;
  // RFC 6750 §3.1. For API keys there is no scope to request.
  if (answer.body.error === "insufficient_scope" && request.caller.kind !== "api_key") {
    reply.headers(challenge('error="insufficient_scope"', `scope="${scope}"`));
  }
  const challenged = reply.getHeader("www-authenticate");
  if (challenged !== undefined) {
    reply.header(
      "www-authenticate",
      `${challenged}, resource_metadata="${metadataUrl(called(request.host))}"`,
    );
  }
  return reply.send(answer.body);
}
