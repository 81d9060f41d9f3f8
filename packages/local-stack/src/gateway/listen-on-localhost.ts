import { createServer } from "node:http";
import type { FastifyInstance } from "fastify";

/** How long a client may take; Node looks for late ones at each interval. A service refuses a slow body before this does. */
export const SLOW_CLIENTS = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1000 };

const CLOSE_LIMIT_MS = 5000;

/** Listens on `port` of `localhost`, by IPv4 and, where the machine has it, IPv6. Returns a function that closes both. */
export async function listenOnLocalhost(app: FastifyInstance, port: number): Promise<() => Promise<void>> {
  await app.listen({ host: "127.0.0.1", port });
  const second = createServer(SLOW_CLIENTS, (request, response) => app.routing(request, response));
  second.keepAliveTimeout = app.server.keepAliveTimeout;
  const listens = await new Promise<boolean>((resolve, reject) => {
    second.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT" ? resolve(false) : reject(error),
    );
    second.listen({ host: "::1", port, ipv6Only: true }, () => resolve(true));
  });
  return async () => {
    const servers = listens ? [app.server, second] : [app.server];
    const closed = Promise.all([app.close(), listens && new Promise((resolve) => second.close(resolve))]);
    // A connection that is sending its last answer is closed once it is idle.
    const closingIdle = setInterval(() => {
      for (const server of servers) server.closeIdleConnections();
    }, 50);
    const closingAll = setTimeout(() => {
      for (const server of servers) server.closeAllConnections();
    }, CLOSE_LIMIT_MS);
    await closed;
    clearInterval(closingIdle);
    clearTimeout(closingAll);
  };
}
