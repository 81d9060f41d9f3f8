import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { factsOf } from "./request-facts.ts";

/**
 * One log record for each request: its route, never its URL, which may hold codes, states and sealed requests, and anything at
 * all where it belongs to no route; how it was answered, and what the routes learnt about it. Faults are warnings, defects
 * errors; refusals are the callers' affair.
 * @param further more fields
 */
export function logRequests(app: FastifyInstance, further?: (request: FastifyRequest) => object): void {
  app.decorateRequest("isLogged", false);
  app.addHook("onRequest", (request, reply, done) => {
    // The caller left, or was cut off, before the end of the answer: then no onResponse hook runs.
    reply.raw.once("close", () => {
      if (!request.isLogged) log(request, reply, { ...further?.(request), incomplete: true });
    });
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    request.isLogged = true;
    log(request, reply, further?.(request));
    done();
  });
}

declare module "fastify" {
  interface FastifyRequest {
    isLogged: boolean;
  }
}

function log(request: FastifyRequest, reply: FastifyReply, further: object | undefined): void {
  const { statusCode } = reply;
  const level = statusCode < 500 ? "info" : statusCode === 500 ? "error" : "warn";
  request.log[level](recordOf(request, reply, further), "request");
}

/** Fields that are undefined are left out. */
function recordOf(request: FastifyRequest, reply: FastifyReply, further: object | undefined): object {
  const facts = factsOf(request);
  return {
    method: request.method,
    route: request.routeOptions.url ?? "none",
    status: reply.raw.headersSent ? reply.statusCode : undefined,
    ms: Math.round(reply.elapsedTime),
    ip: request.ip,
    client_id: facts.clientId,
    shop_id: facts.shopId,
    connection_id: facts.connectionId,
    api_key_id: facts.apiKeyId,
    merchant_id: facts.merchantId,
    account: facts.account,
    grant_type: facts.grantType,
    outcome: facts.outcome,
    reason: facts.reason,
    limit: facts.limit,
    detail: facts.detail,
    ...further,
  };
}
