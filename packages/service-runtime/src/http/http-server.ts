import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { compile } from "@fastify/proxy-addr";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from "fastify";
import type { Histogram } from "prom-client";
import type { Logger } from "../logging/logger.ts";
import { traceRequests } from "../tracing/tracing.ts";
import { type Connections, closeAfterAnswers, refuseMalformed } from "./connections.ts";
import { cleanForwardedFor } from "./forwarded-for.ts";
import { logRequests } from "./request-record.ts";

interface HttpServerOptions {
  readonly logger: Logger;
  /** CIDR list: a forwarded client address, or a request's id, counts only when it comes from one of these. */
  readonly trustedProxies: readonly string[];
  /** Bytes of a request's body. */
  readonly bodyLimit: number;
  readonly durations: Histogram;
  /** By which name a request's duration is measured; default: its route. Of a bounded set; undefined: no route. */
  readonly measuredAs?: (request: FastifyRequest) => string | undefined;
  /** Where clients reach the service. With https, every answer has Strict-Transport-Security. */
  readonly publicUrl: string;
}

/** A connection with a request on which nothing moves, such as an answer that the client does not read, is closed after this. */
const CONNECTION_TIMEOUT_MS = 60_000;
const REQUEST_TIMEOUT_MS = 10_000;
/** The gateway takes 32 KB of a client's headers, and adds some of its own. */
const MAX_HEADER_BYTES = 40 * 1024;
/** Longer than a gateway keeps an idle connection, so that the gateway is the one to close it. */
const KEEP_ALIVE_MS = 72_000;

/**
 * A Fastify instance with what both servers share: a request id and the security headers on every answer, literal paths
 * (case and slashes count), HEAD wherever there is GET, bounds for slow clients, a close that cuts off no answer, and one log record
 * and one measured duration a request.
 */
export function httpServer(options: HttpServerOptions): FastifyInstance {
  const { logger, durations } = options;
  const headers = securityHeaders(options.publicUrl);
  const connections: Connections = new Map();
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }), // logRequests does it, in one record
    trustProxy: [...options.trustedProxies],
    genReqId: requestIds(options.trustedProxies),
    requestIdHeader: false,
    bodyLimit: options.bodyLimit,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Node takes its limit for headers from `requestTimeout` when it makes the server; Fastify sets its own afterwards.
    http: {
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: 1000,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: {
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      maxParamLength: 200,
    },
    // A path that can't be decoded belongs to no route. No hook runs for it, so it gets its headers and its record here.
    frameworkErrors: (_error, request, reply: FastifyReply) => {
      void reply
        .code(404)
        .headers({ ...headers, "x-request-id": request.id })
        .send({ error: "not_found" });
      const { id, method, ip } = request;
      logger.info({ reqId: id, method, route: "none", status: 404, ip, reason: "malformed_path" }, "request");
    },
    clientErrorHandler: (error, socket) => refuseMalformed(error, socket, { connections, headers, logger }),
  }) as unknown as FastifyInstance;
  answerHead(app);
  app.decorateRequest("facts"); // noteFacts sets it

  // First, as every hook may ask for `request.ip`.
  cleanForwardedFor(app);
  closeAfterAnswers(app, connections);
  traceRequests(app);
  addHeaders(app, headers);
  answerTooLarge(app);
  measureRequests(app, durations, options.measuredAs);
  logRequests(app);
  return app;
}

/** HEAD is a GET without its body (RFC 9110 §9.3.2). Fastify's own HEAD routes read whole streams, and give a 304 no length. */
function answerHead(app: FastifyInstance): void {
  app.addHook("onRoute", (route) => {
    if (route.method === "GET") route.method = ["GET", "HEAD"];
  });
}

/**
 * Fastify closes the connection with a 413. A gateway that still sends finds it reset, and reports the service as away. So it stays
 * open, and Node drops the rest of the body within the request's time.
 */
function answerTooLarge(app: FastifyInstance): void {
  app.addHook("onError", (_request, reply, error, done) => {
    if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE") reply.removeHeader("connection");
    done();
  });
}

// Hooks that wait for nothing take a callback: a promise more for every request would be work for nothing.

function addHeaders(app: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    reply.headers(headers);
    done();
  });
}

/** HTTP has some thirty other methods. They belong to no route. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

function measureRequests(
  app: FastifyInstance,
  durations: Histogram,
  measuredAs: HttpServerOptions["measuredAs"] = (request) => request.routeOptions.url,
): void {
  app.addHook("onResponse", (request, reply, done) => {
    const method = METHODS.has(request.method) ? request.method : "other";
    const labels = { method, route: measuredAs(request) ?? "none", status: String(reply.statusCode) };
    durations.observe(labels, reply.elapsedTime / 1000);
    done();
  });
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The gateway's id, if a trusted proxy says it and it is a UUID, so that all logs name the same one; else one of our own. */
function requestIds(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = compile([...trustedProxies]);
  return ({ headers, socket }) => {
    const named = headers["x-request-id"];
    const isGateways = typeof named === "string" && UUID.test(named) && isTrusted(socket.remoteAddress ?? "", 0);
    return isGateways ? named : randomUUID();
  };
}

/** No browser takes an answer for another type than it says; and where we speak TLS, browsers use nothing else for a year. */
function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return {
    "x-content-type-options": "nosniff",
    ...(publicUrl.startsWith("https:") && { "strict-transport-security": "max-age=31536000" }),
  };
}
