import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import Fastify, { type ConnectionError, type FastifyInstance, type FastifyReply, LogController } from "fastify";
import type { Histogram } from "prom-client";
import { type Logger, loggerOf } from "./logger.ts";
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
  /** Milliseconds after which whoever takes nothing of an answer is cut off. Default: a minute. */
  readonly stallMs?: number;
}

const STALL_MS = 60_000;
const REQUEST_TIMEOUT_MS = 10_000;
const IDLE_SWEEP_MS = 100;

/**
 * A Fastify instance with what both services share: a request id on every response, a bounded wait for slow
 * clients, literal paths (case and slashes count, no HEAD routes), and the duration of each request by route.
 */
export function httpServer(options: HttpServerOptions): FastifyInstance {
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
      void reply.code(404).header("x-request-id", request.id).send({ error: "not_found" }),
    clientErrorHandler: answerMalformed,
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
  answerInTurn(app as unknown as FastifyInstance);
  cutOffStalled(app as unknown as FastifyInstance, options.stallMs ?? STALL_MS, () =>
    options.logger.info("cut off a caller who took nothing of an answer"),
  );
  // Hooks that wait for nothing take a callback: a promise more for every request would be work for nothing.
  app.addHook("onRequest", (request, reply, done) => {
    unused.delete(request.raw.socket);
    reply.header("x-request-id", request.id);
    // A gateway takes its next request elsewhere, and no connection is left that it could use at the close.
    if (isLeaving()) reply.header("connection", "close");
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
  // Connections that never carried a request don't count as idle for Node, and would hold up the close.
  const unused = new Set<Socket>();
  app.server.on("connection", (socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  app.addHook("preClose", async () => {
    for (const socket of unused) socket.destroy();
    // Node ends the connections that are idle when it closes, and waits for those that fall idle afterwards.
    const sweep = setInterval(() => app.server.closeIdleConnections(), IDLE_SWEEP_MS);
    app.server.once("close", () => clearInterval(sweep));
  });
  app.addHook("onResponse", (request, reply, done) => {
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
function answerMalformed(error: ConnectionError, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  // What arrived in part behind a request that is being answered is not late before its turn.
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && isAnswering(socket)) {
    return void setTimeout(answerMalformed, REQUEST_TIMEOUT_MS, error, socket).unref();
  }
  const status = STATUS_OF[error.code] ?? 400;
  const body = '{"error":"invalid_request"}';
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${body.length}`,
    `x-request-id: ${randomUUID()}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

const STATUS_OF: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };
