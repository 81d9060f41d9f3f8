import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { ConnectionError, FastifyInstance } from "fastify";
import type { Logger } from "../logging/logger.ts";
import type { OpenConnections } from "./open-connections.ts";
import { isAnswering } from "./pipelining.ts";

interface MalformedRequestOptions {
  readonly connections: OpenConnections;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds that a request may take to arrive. */
  readonly requestTimeout: number;
  readonly logger: Logger;
}

/** Answers what Node could not read as a request, after the requests before it on the connection, which then ends. */
export function answerMalformed(error: ConnectionError, socket: Socket, options: MalformedRequestOptions): void {
  const { connections, requestTimeout } = options;
  const refuse = () => connections.whenAnswered(socket, () => sendError(error, socket, options));
  if (error.code === "ECONNRESET") {
    socket.destroy();
  } else if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && isAnswering(socket)) {
    // A part of a request, behind one that is being answered: its time begins now. Node reports it only once.
    const arrived = connections.requestsOf(socket);
    setTimeout(() => {
      if (connections.requestsOf(socket) === arrived) refuse();
    }, requestTimeout).unref();
  } else {
    refuse();
  }
}

const REFUSALS: Readonly<Record<string, { readonly status: number; readonly reason: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, reason: "too_slow" },
  HPE_HEADER_OVERFLOW: { status: 431, reason: "headers_too_large" },
};
const MALFORMED = { status: 400, reason: "malformed_request" };

/** Written to the socket itself, and logged by itself: without a request there is no reply, and no hook runs. */
function sendError(error: ConnectionError, socket: Socket, { headers, logger }: MalformedRequestOptions): void {
  if (!socket.writable) return void socket.destroy();
  const { status, reason } = REFUSALS[error.code] ?? MALFORMED;
  const id = randomUUID();
  const body = '{"error":"invalid_request"}';
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${body.length}`,
    `x-request-id: ${id}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "connection: close",
  ];
  logger.info({ reqId: id, route: "none", status, ip: socket.remoteAddress, reason }, "request");
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/**
 * Fastify closes the connection with the refusal; a gateway that still sends finds it reset, never reads the answer, and says that
 * the service is away. So it stays open, and Node drops the rest, no longer than a request may take.
 */
export function answerTooLarge(app: FastifyInstance): void {
  app.addHook("onError", (_request, reply, error, done) => {
    if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE") reply.removeHeader("connection");
    done();
  });
}
