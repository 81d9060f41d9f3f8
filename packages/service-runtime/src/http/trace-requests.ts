import { compile } from "@fastify/proxy-addr";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Attributes, RequestSpan, Tracing } from "../tracing/index.ts";
import { factsOf } from "./request-record.ts";

const spans = new WeakMap<FastifyRequest, RequestSpan>();

/** One span a request, in the trace of a trusted proxy, or a new one. Every log record of the request has its `trace_id`. */
export function traceRequests(app: FastifyInstance, tracing: Tracing, trustedProxies: readonly string[]): void {
  const trusted = compile([...trustedProxies]);
  app.addHook("onRequest", (request, reply, done) => {
    const { method, headers, socket } = request.raw;
    const isTrusted = trusted(socket.remoteAddress ?? "", 0);
    const span = tracing.request({ method: method ?? "", headers, isTrusted });
    spans.set(request, span);
    request.log = request.log.child({ trace_id: span.traceId });
    reply.log = request.log;
    // Also of an answer that was cut off, for which there is no onResponse.
    reply.raw.once("close", () =>
      span.end({
        route: request.routeOptions.url ?? "none",
        status: reply.statusCode,
        attributes: attributesOf(request, reply),
      }),
    );
    span.within(done);
  });
  // A body is read by the events of its socket, which belong to no request.
  app.addHook("preValidation", (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.within(done);
    else done();
  });
}

/** Of what its log record has, all but what names a person, and what a caller sent. */
function attributesOf(request: FastifyRequest, reply: FastifyReply): Attributes {
  const facts = factsOf(request);
  return {
    "partner_connect.request_id": request.id,
    "partner_connect.client_id": facts.clientId,
    "partner_connect.shop_id": facts.shopId,
    "partner_connect.connection_id": facts.connectionId,
    "partner_connect.api_key_id": facts.apiKeyId,
    "partner_connect.grant_type": facts.grantType,
    "partner_connect.outcome": facts.outcome,
    "partner_connect.reason": facts.reason,
    "partner_connect.limit": facts.limit,
    "partner_connect.incomplete": reply.raw.writableFinished ? undefined : true,
  };
}
