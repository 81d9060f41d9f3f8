import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { addReadiness, type Metrics } from "../metrics/metrics.ts";
import { type ReadinessChecks, type ReadinessLog, readiness } from "../process/readiness.ts";

export interface InternalServerOptions {
  readonly host: string;
  readonly port: number;
  readonly checks: ReadinessChecks;
  readonly metrics: Metrics;
  /** Is told when a check begins to fail, and why, and when it passes again. Default: nobody. */
  readonly log?: ReadinessLog;
  /** What else is told, as JSON, by its path. No secret. */
  readonly documents?: Readonly<Record<string, () => object>>;
}

export type InternalServer = Awaited<ReturnType<typeof startInternalServer>>;

/**
 * Health, metrics and `documents` on a port of their own. `/readyz?exclude=postgres` leaves checks out: the gateway does, as a store
 * that is away would else take all replicas away, with the answers that need no store.
 */
export async function startInternalServer(options: InternalServerOptions) {
  const { host, port, checks, documents = {} } = options;
  const { registry } = options.metrics;
  const failing = readiness(checks, options.log);
  addReadiness(registry, checks, failing);
  let isDraining = false;

  async function answerReadiness(response: ServerResponse, query: URLSearchParams): Promise<void> {
    if (isDraining) return sendJson(response, 503, { status: "draining" });
    const names = await failing(query.getAll("exclude"));
    if (names.length > 0) return sendJson(response, 503, { status: "not ready", failing: names });
    sendJson(response, 200, { status: "ready" });
  }

  async function answerMetrics(response: ServerResponse): Promise<void> {
    send(response, 200, registry.contentType, await registry.metrics());
  }

  const server = createServer((request, response) => {
    const [path, query] = (request.url ?? "").split("?", 2);
    if (path === "/livez") sendJson(response, 200, { status: "live" });
    else if (path === "/readyz") void answerReadiness(response, new URLSearchParams(query));
    else if (path === "/metrics") void answerMetrics(response);
    else if (path && Object.hasOwn(documents, path)) sendJson(response, 200, documents[path]?.());
    else sendJson(response, 404, { error: "not_found" });
  });
  server.listen(port, host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    /** From now on `/readyz` says 503, so that no new request is sent here. */
    drain: (): void => {
      isDraining = true;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  send(response, status, "application/json", `${JSON.stringify(body)}\n`);
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(body);
}
