import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { traceHeaders } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest, RawServerBase, RouteGenericInterface } from "fastify";
import { BodyTooLarge, forwardedBody, refuseBody } from "./body-limit.ts";
import { unavailable } from "./errors.ts";
import type { LoadBalancer } from "./load-balancer.ts";

const IDEMPOTENT = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);
/** Longer than a service takes for anything, so that a service's own 503 arrives first: a call for changes waits for 25 seconds. */
const RESPONSE_LIMIT_MS = 40_000;

/**
 * Options of @fastify/http-proxy for one service. When a replica closes the connection without an answer, the next one is tried if
 * the request is idempotent and has no body; else the client gets 503. An answer is never tried again.
 */
export function forward(prefix: string, service: LoadBalancer) {
  /** The replicas that a request may still be sent to, the current one first. */
  const remaining = new WeakMap<object, string[]>();
  const current = (request: object) => remaining.get(request)?.[0] ?? "";

  const replyOptions = {
    getUpstream: current,
    rewriteRequestHeaders: (request: unknown, headers: IncomingHttpHeaders) =>
      requestHeaders(request as FastifyRequest, headers),
    rewriteHeaders(headers: IncomingHttpHeaders, request?: unknown): IncomingHttpHeaders {
      const { connection, "keep-alive": _, ...answered } = headers;
      // The replica is about to close: the next requests go to the others.
      if (connection === "close") service.leaving(current(request as object));
      return answered;
    },
    onResponse(_request: unknown, answered: FastifyReply<RouteGenericInterface, RawServerBase>, answer: Answer): void {
      // The library would close the connection of a client whose body was not read. Here the rest is read and dropped.
      (answered as unknown as FastifyReply).removeHeader("connection").send(answer.stream);
    },
    // The library's own retries would repeat a service's 503.
    retryDelay: () => null,
    onError(failed: FastifyReply<RouteGenericInterface, RawServerBase>): void {
      const reply = failed as unknown as FastifyReply;
      const { request } = reply;
      if ((request.body as Readable | undefined)?.errored instanceof BodyTooLarge)
        return void refuseBody(request, reply);
      service.failed(current(request));
      const others = remaining.get(request)?.slice(1) ?? [];
      if (others.length === 0 || !IDEMPOTENT.has(request.method) || request.body) return void unavailable(reply);
      remaining.set(request, others);
      reply.from(undefined, replyOptions);
    },
  };

  return {
    prefix,
    upstream: "",
    disableRequestLogging: true, // the library's own: it has URLs
    rewritePrefix: prefix,
    internalRewriteLocationHeader: false,
    undici: { connections: 256, connectTimeout: 1000, headersTimeout: RESPONSE_LIMIT_MS, bodyTimeout: 60_000 },
    async preHandler(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      remaining.set(request, request.body ? await service.acceptingFirst() : service.order());
      if (request.body) request.body = forwardedBody(request.raw, reply.raw);
    },
    replyOptions,
  };
}

interface Answer {
  readonly stream: Readable;
}

/** A caller's own trace is not continued: it could choose what is kept, and join what has nothing to do with it. */
const CALLERS_TRACE = new Set(["traceparent", "tracestate", "baggage"]);

/** All headers, also those that came twice. Only the gateway says who the client is (`x-forwarded-*`), the request's id and its trace. */
function requestHeaders(request: FastifyRequest, headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const sent: Record<string, string | string[] | undefined> = {};
  for (const name of Object.keys(headers)) {
    if (name === "forwarded" || name === "x-real-ip" || name.startsWith("x-forwarded-")) continue;
    if (CALLERS_TRACE.has(name)) continue;
    const values = request.raw.headersDistinct[name];
    sent[name] = values && values.length > 1 ? values : headers[name];
  }
  const host = request.headers.host;
  sent["host"] = host;
  sent["x-forwarded-for"] = request.socket.remoteAddress;
  sent["x-forwarded-host"] = host;
  sent["x-forwarded-proto"] = "http";
  sent["x-request-id"] = request.id;
  Object.assign(sent, traceHeaders(request));
  return sent as IncomingHttpHeaders;
}
