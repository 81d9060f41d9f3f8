import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { ConnectionError, FastifyInstance } from "fastify";
import type { Logger } from "../logging/logger.ts";
import { isShuttingDown } from "../process/process.ts";

/** How long a close waits for responses to be read, before it destroys their connections. */
const CLOSE_LIMIT_MS = 10_000;

/** A server's open connections, each with its unfinished responses. */
export type Connections = Map<Socket, Set<ServerResponse>>;

/**
 * Closes without truncating responses. Node's own close destroys a connection once its response was
 * handed over, including what a slow reader has not read. This half-closes each connection after
 * its responses, and the peer closes it after reading them.
 */
export function closeAfterAnswers(app: FastifyInstance, connections: Connections): void {
  app.server.on("connection", (socket) => {
    connections.set(socket, new Set());
    socket.once("close", () => connections.delete(socket));
  });
  app.addHook("onRequest", (request, reply, done) => {
    const { socket } = request.raw;
    // The request arrived on a half-closed connection: it can't be answered, so it must not run.
    if (socket.writableEnded) return;
    const answers = connections.get(socket);
    answers?.add(reply.raw);
    reply.raw.once("close", () => answers?.delete(reply.raw));
    // Makes the gateway send its next request to another replica.
    if (isShuttingDown()) reply.header("connection", "close");
    done();
  });
  app.addHook("preClose", async () => {
    const closed = [...connections].map(async ([socket, answers]) => {
      await Promise.all([...answers].map((answer) => once(answer, "close")));
      if (socket.closed) return;
      socket.end();
      await once(socket, "close");
    });
    await Promise.race([
      Promise.allSettled(closed),
      sleep(CLOSE_LIMIT_MS, undefined, { ref: false }),
    ]);
    app.server.closeAllConnections();
  });
}

interface Refusal {
  readonly connections: Connections;
  readonly headers: Readonly<Record<string, string>>;
  readonly logger: Logger;
}

const STATUSES: Readonly<Record<string, { readonly status: number; readonly reason: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, reason: "too_slow" },
  HPE_HEADER_OVERFLOW: { status: 431, reason: "headers_too_large" },
};
const MALFORMED = { status: 400, reason: "malformed_request" };

/**
 * Answers what Node could not parse as a request, and closes the connection. There is no reply
 * object, and no hook runs.
 */
export function refuseMalformed(
  error: ConnectionError,
  socket: Socket,
  { connections, headers, logger }: Refusal,
): void {
  // Don't answer if an earlier request's response may be half written.
  const isAnswering = [...(connections.get(socket) ?? [])].some(
    ({ req, headersSent }) => req.complete || headersSent,
  );
  if (error.code === "ECONNRESET" || !socket.writable || isAnswering) return void socket.destroy();
  const { status, reason } = STATUSES[error.code] ?? MALFORMED;
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
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  socket.destroySoon();
}
