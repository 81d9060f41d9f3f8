import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Gauge } from "prom-client";
import type { Metrics } from "../metrics.ts";

export interface InternalServerOptions {
  readonly host: string;
  readonly port: number;
  readonly checks: ReadinessChecks;
  readonly metrics: Metrics;
  /** Receives each change of a check's result. Default: none. */
  readonly log?: ReadinessLog;
  /** Further JSON documents by path. No secrets. */
  readonly documents?: Readonly<Record<string, () => object>>;
}

export type InternalServer = Awaited<ReturnType<typeof startInternalServer>>;

/**
 * Serves health, metrics and `documents` on a separate port. `/readyz?exclude=postgres` skips a check: the gateway excludes stores, because
 * an outage would remove all replicas, including responses that need no store.
 */
export async function startInternalServer(options: InternalServerOptions) {
  const { host, port, checks, documents = {} } = options;
  const { registry } = options.metrics;
  const failing = readiness(checks, options.log);
  new Gauge({
    name: "partner_connect_ready",
    help: "1: the part works, as /readyz has it. 0: it does not.",
    labelNames: ["check"],
    registers: [registry],
    async collect() {
      const failed = await failing([]);
      for (const check of Object.keys(checks)) this.set({ check }, failed.includes(check) ? 0 : 1);
    },
  });
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
    /** Makes `/readyz` answer 503 from now on, so that no new request arrives. */
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

/** Checks by name; each rejects if the dependency does not work. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<void>>>;

/** Receives failures and recoveries, not every check. */
export interface ReadinessLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** A check runs at most once a second. */
const CACHE_MS = 1000;
const CHECK_TIMEOUT_MS = 1500;
/** Time for a process to connect to its dependencies. */
const START_MS = 3000;

interface Result {
  readonly until: number;
  readonly passes: Promise<boolean>;
}

/** Returns a function that lists the failing checks. `excluded` ones run for the log, but are not awaited. */
export function readiness(
  checks: ReadinessChecks,
  log?: ReadinessLog,
): (excluded: readonly string[]) => Promise<string[]> {
  const results = new Map<string, Result>();
  const causes = new Map<string, string>();
  /** Until then a failing check may just not be connected yet, so don't warn. */
  const startedUntil = Date.now() + START_MS;

  const note = (part: string, cause: string | null): boolean => {
    if (cause === null) {
      if (causes.delete(part)) log?.info({ part }, "works again");
    } else if (causes.get(part) !== cause) {
      causes.set(part, cause);
      if (Date.now() < startedUntil) log?.info({ part, cause }, "not ready yet");
      else log?.warn({ part, cause }, "not ready");
    }
    return cause === null;
  };

  const passesNow = (name: string, check: () => Promise<void>): Promise<boolean> => {
    const known = results.get(name);
    if (known && known.until > Date.now()) return known.passes;
    const result = { until: Date.now() + CACHE_MS, passes: causeOfFailure(check).then((cause) => note(name, cause)) };
    results.set(name, result);
    return result.passes;
  };

  return async (excluded) => {
    const results = Object.entries(checks).map(([name, check]) => [name, passesNow(name, check)] as const);
    const included = results.filter(([name]) => !excluded.includes(name));
    const passed = await Promise.all(included.map(([, passes]) => passes));
    return included.flatMap(([name], index) => (passed[index] ? [] : [name]));
  };
}

async function causeOfFailure(check: () => Promise<void>): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<string>((resolve) => {
    const late = () => resolve(`no answer within ${CHECK_TIMEOUT_MS} ms`);
    // Timers run before sockets are read, so in a busy process read arrived responses first.
    timer = setTimeout(() => setImmediate(late), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([check().then(() => null), tooLate]);
  } catch (error) {
    return causeOf(error);
  } finally {
    clearTimeout(timer);
  }
}

/** The message with its causes. An `AggregateError`, as for a host with several addresses, has no message. */
function causeOf(error: unknown): string {
  const { message, errors, code, cause } = (error ?? {}) as Failure;
  const text = message || errors?.[0]?.message || code || String(error);
  return cause === undefined ? text : `${text}: ${causeOf(cause)}`;
}

type Failure = Partial<Pick<AggregateError, "message" | "errors" | "cause">> & { readonly code?: string };
