import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { Readable } from "node:stream";
import { compile } from "@fastify/proxy-addr";
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { Histogram } from "prom-client";
import type { Logger } from "../logging/logger.ts";
import { type Connections, closeAfterAnswers, refuseMalformed } from "./connections.ts";
import { logRequests, onAnswer } from "./request-record.ts";

interface HttpServerOptions {
  readonly logger: Logger;
  /** CIDR list of proxies whose `X-Forwarded-For` and request ids are trusted. */
  readonly trustedProxies: readonly string[];
  /** Maximum bytes of a request's body. */
  readonly bodyLimit: number;
  /** Default: durations are not measured. */
  readonly durations?: Histogram;
  /**
   * Label under which a request's duration is measured. Default: its route; undefined: `none`. The
   * set must be bounded.
   */
  readonly measuredAs?: (request: FastifyRequest) => string | undefined;
  /** A path with a longer parameter has no route. Default: 200 characters. */
  readonly maxParamLength?: number;
  /** Milliseconds in which a request must have arrived. Default: 10 s. */
  readonly requestTimeout?: number;
  /** With https, every response has Strict-Transport-Security. */
  readonly publicUrl: string;
}

/** Closes a connection with a pending request and no traffic, for example an unread response. */
const CONNECTION_TIMEOUT_MS = 60_000;
/**
 * More than the gateway lets through, so that the authorization server can answer headers above its
 * own limit with a page.
 */
const MAX_HEADER_BYTES = 64 * 1024;
/** Idle time until a connection closes; longer than a gateway's, which therefore closes first. */
const KEEP_ALIVE_MS = 72_000;

/**
 * Creates a Fastify instance with what our Fastify servers share: request ids, security headers,
 * case-sensitive literal paths, HEAD for every GET, limits for slow clients, a close that truncates
 * no response, one log record and one duration per request.
 */
export function httpServer(options: HttpServerOptions): FastifyInstance {
  const { logger, durations, requestTimeout = 10_000 } = options;
  const headers = securityHeaders(options.publicUrl);
  const connections: Connections = new Map();
  const app = Fastify({
    loggerInstance: logger,
    // logRequests writes one record instead
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: [...options.trustedProxies],
    genReqId: requestIds(options.trustedProxies),
    requestIdHeader: false,
    bodyLimit: options.bodyLimit,
    requestTimeout,
    // Node takes its header timeout from `requestTimeout` when it creates the server; Fastify sets
    // its own later.
    http: { requestTimeout, connectionsCheckingInterval: 1000, maxHeaderSize: MAX_HEADER_BYTES },
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: {
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      maxParamLength: options.maxParamLength ?? 200,
    },
    // A path that can't be decoded has no route and runs no hooks, so headers and log record are
    // added here.
    frameworkErrors: (_error, request, reply: FastifyReply) => {
      void reply
        .code(404)
        .headers({ ...headers, "x-request-id": request.id })
        .send({ error: "not_found" });
      const { id, method, ip } = request;
      const record = { method, route: "none", status: 404, ip, reason: "malformed_path" };
      logger.info({ reqId: id, ...record }, "request");
    },
    clientErrorHandler: (error, socket) =>
      refuseMalformed(error, socket, { connections, headers, logger }),
  }) as unknown as FastifyInstance;
  answerHead(app);
  // Otherwise QUERY without a content type would get 400, not 405.
  app.addHttpMethod("QUERY", { overrideExisting: true });
  app.decorateRequest("facts"); // set by noteFacts

  // First, because every hook may read `request.ip`.
  cleanForwardedFor(app);
  closeAfterAnswers(app, connections);
  addHeaders(app, headers);
  keepOpenAfter413(app);
  dropRest(app);
  if (durations) measureRequests(app, durations, options.measuredAs);
  logRequests(app);
  return app;
}

/** `192.0.2.7:5678`, `[2001:db8::1]:5678`, `[2001:db8::1]`: Azure's gateways append the port. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/;

/**
 * Returns the addresses of `X-Forwarded-For` without ports. A value that is not an address ends the
 * list, read from the right, where the nearest proxy appends: the request counts as that proxy's,
 * so invented names get no rate limit of their own.
 */
export function forwardedAddresses(header: string): string[] {
  const addresses = header.split(",").map((entry) => {
    const [, v6, v4] = WITH_PORT.exec(entry.trim()) ?? [];
    return v6 ?? v4 ?? entry.trim();
  });
  return addresses.slice(addresses.findLastIndex((address) => isIP(address) === 0) + 1);
}

function cleanForwardedFor(app: FastifyInstance): void {
  app.addHook("onRequest", ({ raw: { headers } }, _reply, done) => {
    const header = headers["x-forwarded-for"];
    if (header !== undefined)
      headers["x-forwarded-for"] = forwardedAddresses(String(header)).join(", ");
    done();
  });
}

/**
 * HEAD is GET without the body (RFC 9110 §9.3.2). Fastify's own HEAD routes read whole streams, and
 * give a 304 no length.
 */
function answerHead(app: FastifyInstance): void {
  app.addHook("onRoute", (route) => {
    if (route.method === "GET") route.method = ["GET", "HEAD"];
  });
}

/**
 * Fastify closes the connection with a 413. A gateway that is still sending would see a reset, and
 * report the service as down. So the connection stays open, and {@link dropRest} reads the body.
 */
function keepOpenAfter413(app: FastifyInstance): void {
  app.addHook("onError", (_request, reply, error, done) => {
    if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE") reply.removeHeader("connection");
    done();
  });
}

/** Bytes and milliseconds for the rest of a refused body; beyond them the connection closes. */
const [REST_BYTES, REST_MS] = [64 * 1024 * 1024, 5000];

/**
 * Reads and drops the rest of a refused body, within the request timeout. A connection that is to
 * close stays open until then: a client that writes its whole body first would get a reset.
 */
function dropRest(app: FastifyInstance): void {
  app.addHook("onSend", async ({ raw }, reply, payload) => {
    if (raw.complete || raw.destroyed) return payload;
    const { promise: isRead, resolve } = Promise.withResolvers<void>();
    let bytes = 0;
    raw.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > REST_BYTES) resolve();
    });
    for (const event of ["end", "close"]) raw.once(event, resolve);
    raw.resume();
    const isLast = !reply.raw.shouldKeepAlive || reply.getHeader("connection") === "close";
    if (!isLast || typeof payload !== "string") return payload;
    const timer = setTimeout(resolve, REST_MS);
    reply.header("content-length", Buffer.byteLength(payload));
    const untilRead = async function* () {
      yield payload;
      await isRead;
      clearTimeout(timer);
    };
    return Readable.from(untilRead());
  });
}

// Synchronous hooks take a callback, which saves a promise per request.

function addHeaders(app: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    reply.headers(headers);
    done();
  });
}

function measureRequests(
  app: FastifyInstance,
  durations: Histogram,
  measuredAs: HttpServerOptions["measuredAs"] = (request) => request.routeOptions.url,
): void {
  onAnswer(app, (request, reply) => {
    const { method } = request;
    const labels = {
      method,
      route: measuredAs(request) ?? "none",
      status: String(reply.statusCode),
    };
    durations.observe(labels, reply.elapsedTime / 1000);
  });
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Uses the gateway's id if it is a UUID from a trusted proxy, so that all logs have the same id;
 * otherwise generates one.
 */
function requestIds(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = compile([...trustedProxies]);
  return ({ headers, socket }) => {
    const named = headers["x-request-id"];
    const isGateways =
      typeof named === "string" && UUID.test(named) && isTrusted(socket.remoteAddress ?? "", 0);
    return isGateways ? named : randomUUID();
  };
}

/** Forbids MIME sniffing; over TLS, requires https for a year. */
function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return {
    "x-content-type-options": "nosniff",
    ...(publicUrl.startsWith("https:") && { "strict-transport-security": "max-age=31536000" }),
  };
}
