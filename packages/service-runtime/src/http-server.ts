import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import Fastify, { type ConnectionError, type FastifyInstance, type FastifyReply, LogController } from "fastify";
import type { Histogram } from "prom-client";
import { type Logger, loggerOf } from "./logger.ts";
import { OpenConnections } from "./open-connections.ts";
import { answerInTurn, isAnswering } from "./pipelining.ts";
import { isLeaving } from "./process.ts";
import { cutOffStalled } from "./stalled-sockets.ts";

export interface HttpServerOptions {
  readonly logger: Logger;
  /** CIDR list: only from these does a forwarded client address count. */
  readonly trustedProxies: readonly string[];
  /** Bytes of a request's body. */
  readonly bodyLimit: number;
  readonly durations: Histogram;
  /** Where the service is reached. If by https, every response says that it stays so. */
  readonly publicUrl: string;
  /** Milliseconds after which whoever takes nothing of an answer is cut off. Default: a minute. */
  readonly stallMs?: number;
}

const STALL_MS = 60_000;
const REQUEST_TIMEOUT_MS = 10_000;

/**
 * A Fastify instance with what both services share: a request id and the security headers on every response, a bounded wait
 * for slow clients, literal paths (case and slashes count, no HEAD routes), and the duration of each request by route.
 */
export function httpServer(options: HttpServerOptions): FastifyInstance {
  const securityHeaders = securityHeadersOf(options.publicUrl);
  const app = Fastify({
    loggerInstance: options.logger,
    trustProxy: [...options.trustedProxies],
    genReqId: () => randomUUID(),
    childLoggerFactory: (parent, { reqId }) => loggerOf(String(reqId), parent as Logger),
    requestIdHeader: false,
    exposeHeadRoutes: false,
    bodyLimit: options.bodyLimit,
    // A path that can't be decoded is no route's.
    frameworkErrors: (_error, request, reply: FastifyReply) =>
      void reply
        .code(404)
        .headers({ ...securityHeaders, "x-request-id": request.id })
        .send({ error: "not_found" }),
    clientErrorHandler: (error, socket) => {
      if (error.code === "ECONNRESET") socket.destroy();
      else if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && isAnswering(socket)) notLateYet(error, socket);
      else refuse(error, socket);
    },
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    return503OnClosing: false,
    routerOptions: {
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      maxParamLength: 200,
    },
    // One record a request, written below.
    logController: new LogController({ disableRequestLogging: true }),
  });
  const connections = new OpenConnections(app.server);
  const refuse = (error: ConnectionError, socket: Socket): void =>
    connections.whenAnswered(socket, () => answerMalformed(error, socket, securityHeaders));
  // What arrived in part behind a request that is being answered is not late before its turn; Node says it only once.
  const notLateYet = (error: ConnectionError, socket: Socket): void => {
    const arrived = connections.requestsOf(socket);
    setTimeout(() => {
      if (connections.requestsOf(socket) === arrived) refuse(error, socket);
    }, REQUEST_TIMEOUT_MS).unref();
  };
  // Hooks that wait for nothing take a callback: a promise more for every request would be work for nothing.
  app.addHook("onRequest", (request, _reply, done) => {
    if (connections.begin(request.raw)) done();
  });
  answerInTurn(app as unknown as FastifyInstance);
  cutOffStalled(app as unknown as FastifyInstance, options.stallMs ?? STALL_MS, () =>
    options.logger.info("cut off a caller who took nothing of an answer"),
  );
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    reply.headers(securityHeaders);
    if (isLeaving()) {
      // A gateway takes its next request elsewhere, and no connection is left that it could use at the close.
      reply.header("connection", "close");
      connections.linger(request.raw.socket);
    }
    done();
  });
  app.addHook("onSend", (request, reply, _payload, done) => {
    if (!isLeaving() && reply.getHeader("connection") === "close") {
      // Fastify closes the connection on a body that is too large. The answer is then lost with the unread rest of the
      // body; so that is read, for as long as any request may take, and dropped.
      reply.removeHeader("connection");
      request.raw.resume();
    }
    done();
  });
  app.addHook("preClose", async () => connections.endAll(app.server));
  app.addHook("onResponse", (request, reply, done) => {
    connections.end(request.raw);
    const route = request.routeOptions.url ?? "none";
    options.durations.observe(
      { method: request.method, route, status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    );
    request.log.info({ req: request, res: reply, ms: Math.round(reply.elapsedTime) }, "request");
    done();
  });
  return app as unknown as FastifyInstance;
}

/** What isn't HTTP, or comes too slowly or too large to be read, has no request yet; it gets an answer all the same. */
function answerMalformed(error: ConnectionError, socket: Socket, headers: Readonly<Record<string, string>>): void {
  if (!socket.writable) return void socket.destroy();
  const status = STATUS_OF[error.code] ?? 400;
  const body = '{"error":"invalid_request"}';
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${body.length}`,
    `x-request-id: ${randomUUID()}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

const STATUS_OF: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };

/** No answer is taken for another type than it says; and where we speak TLS, browsers ask by nothing else for a year. */
function securityHeadersOf(publicUrl: string): Readonly<Record<string, string>> {
  return {
    "x-content-type-options": "nosniff",
    ...(publicUrl.startsWith("https:") && { "strict-transport-security": "max-age=31536000" }),
  };
}
