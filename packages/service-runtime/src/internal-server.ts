import { createServer } from "node:http";
import { collectDefaultMetrics, Histogram, Registry } from "prom-client";

/** Names each part that a process needs, and how to see whether it works; a check that throws says why not. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<void>>>;

export interface InternalServerOptions {
  readonly host: string;
  readonly port: number;
  readonly checks: ReadinessChecks;
}

export interface InternalServer {
  readonly port: number;
  /** Seconds a request took, by method, route and status. */
  readonly durations: Histogram;
  readonly registry: Registry;
  /** From now on `/readyz` says 503, so that no new request is sent here. */
  drain(): void;
  close(): Promise<void>;
}

const CACHE_MS = 1000;
const CHECK_TIMEOUT_MS = 1500;

/**
 * Health and metrics on a port of their own, which the gateway never routes to: `/livez`, `/readyz`, `/metrics`.
 *
 * `/readyz?exclude=postgres&exclude=redis` leaves those checks out: the gateway asks so for what is every replica's alike,
 * as it would otherwise take away all of them at once, with the answers that need no store.
 */
export async function startInternalServer(options: InternalServerOptions): Promise<InternalServer> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from a request's arrival to the end of its response.",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  let draining = false;
  const cached = new Map<string, { readonly until: number; readonly passes: Promise<boolean> }>();

  function passesNow(name: string, check: () => Promise<void>): Promise<boolean> {
    const known = cached.get(name);
    if (known && known.until > Date.now()) return known.passes;
    const result = { until: Date.now() + CACHE_MS, passes: passes(check) };
    cached.set(name, result);
    return result.passes;
  }

  async function failing(excluded: readonly string[]): Promise<string[]> {
    const checks = Object.entries(options.checks).filter(([name]) => !excluded.includes(name));
    const results = await Promise.all(
      checks.map(async ([name, check]) => ((await passesNow(name, check)) ? [] : [name])),
    );
    return results.flat();
  }

  const server = createServer((request, response) => {
    const send = (status: number, type: string, body: string) =>
      response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(body);
    const json = (status: number, body: unknown) => send(status, "application/json", `${JSON.stringify(body)}\n`);
    const [path, query] = (request.url ?? "").split("?", 2);
    if (path === "/livez") return json(200, { status: "live" });
    if (path === "/readyz") {
      if (draining) return json(503, { status: "draining" });
      return void failing(new URLSearchParams(query).getAll("exclude")).then((names) =>
        names.length === 0 ? json(200, { status: "ready" }) : json(503, { status: "not ready", failing: names }),
      );
    }
    if (path === "/metrics") {
      return void registry.metrics().then((text) => send(200, registry.contentType, text));
    }
    return json(404, { error: "not_found" });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as { port: number }).port,
    durations,
    registry,
    drain: () => {
      draining = true;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function passes(check: () => Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([check().then(() => true), tooLate]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
