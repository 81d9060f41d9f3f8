import type { FastifyInstance } from "fastify";
import type { OpenConnections } from "../http/open-connections.ts";
import { isLeaving } from "./process.ts";

export function countRequests(app: FastifyInstance, connections: OpenConnections): void {
  app.addHook("onRequest", (request, _reply, done) => {
    if (connections.begin(request.raw)) done();
  });
  app.addHook("onResponse", (request, _reply, done) => {
    connections.end(request.raw);
    done();
  });
  app.addHook("preClose", async () => connections.endAll(app.server));
}

/** When the process is leaving, closes a connection with its answer: its gateway then asks another replica. */
export function closeConnectionsWhenLeaving(app: FastifyInstance, connections: OpenConnections): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (isLeaving()) {
      reply.header("connection", "close");
      connections.waitForPeer(request.raw.socket);
    }
    done();
  });
}
