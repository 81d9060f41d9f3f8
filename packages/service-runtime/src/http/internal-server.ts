import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "../logging/logger.ts";
import { addGauge, type Metrics } from "../metrics.ts";

export interface InternalServerOptions {
  readonly host: string;
  readonly port: number;
  readonly checks: ReadinessChecks;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Further JSON documents by path. No secrets. */
  readonly documents?: Readonly<Record<string, () => object>>;
}

export type InternalServer = Awaited<ReturnType<typeof startInternalServer>>;

/**
 * Serves health, metrics and `documents` on a separate port. `/readyz?exclude=postgres` skips that
 * check. The gateway excludes the stores: otherwise an outage of one would take every replica out
 * of service, even for requests that don't need it.
 */
export async function startInternalServer(options: InternalServerOptions) {
  const { host, port, checks, documents = {} } = options;
  const { registry } = options.metrics;
  const failing = readiness(checks, options.logger);
  const ready = async () => {
    const failed = await failing([]);
    return Object.keys(checks).map((check) => [{ check }, failed.includes(check) ? 0 : 1] as const);
  };
  addGauge(registry, ready, {
    name: "partner_connect_ready",
    help: "1 if the check of /readyz passes, 0 if it fails.",
    labelNames: ["check"],
  });
  let isDraining = false;

  async function answerReadiness(response: ServerResponse, query: URLSearchParams): Promise<void> {
    if (isDraining) return sendJson(response, 503, { status: "draining" });
    const names = await failing(query.getAll("exclude"));
    if (names.length > 0) return sendJson(response, 503, { status: "not ready", failing: names });
    sendJson(response, 200, { status: "ready" });
  }

  async function answerMetrics(response: ServerResponse): Promise<void> {
    const text = await registry.metrics().catch((error: Error) => {
      options.logger.error({ err: error }, "a metric can't be collected");
      return null;
    });
    if (text === null) return sendJson(response, 500, { error: "internal_error" });
    send(response, 200, registry.contentType, text);
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
    async close(): Promise<void> {
      const closed = server[Symbol.asyncDispose]();
      server.closeAllConnections();
      await closed;
    },
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

/** Milliseconds for which a check's result is reused. */
const CACHE_MS = 1000;
const CHECK_TIMEOUT_MS = 1500;

/**
 * Returns a function that lists the failing checks. `excluded` ones run for the log, but are not
 * awaited. Only changes of a result are logged.
 */
export function readiness(
  checks: ReadinessChecks,
  logger: Logger,
): (excluded: readonly string[]) => Promise<string[]> {
  const results = new Map<string, { readonly until: number; readonly passes: Promise<boolean> }>();
  const causes = new Map<string, string | null>();

  const runCheck = async (part: string, check: () => Promise<void>): Promise<boolean> => {
    const cause = await causeOfFailure(check);
    const before = causes.get(part) ?? null;
    causes.set(part, cause);
    if (cause !== before && cause === null) logger.info({ part }, "works again");
    else if (cause !== before) logger.warn({ part, cause }, "not ready");
    return cause === null;
  };

  const passes = (part: string, check: () => Promise<void>): Promise<boolean> => {
    const known = results.get(part);
    if (known && known.until > performance.now()) return known.passes;
    const result = { until: performance.now() + CACHE_MS, passes: runCheck(part, check) };
    results.set(part, result);
    return result.passes;
  };

  return async (excluded) => {
    const asked = Object.entries(checks).map(([part, check]) => ({
      part,
      passing: passes(part, check),
    }));
    const included = asked.filter(({ part }) => !excluded.includes(part));
    const failing = await Promise.all(
      included.map(async ({ part, passing }) => ((await passing) ? [] : [part])),
    );
    return failing.flat();
  };
}

async function causeOfFailure(check: () => Promise<void>): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<string>((resolve) => {
    const late = () => resolve(`no answer within ${CHECK_TIMEOUT_MS} ms`);
    // In a busy process the timer may run before a response that has arrived is read.
    timer = setTimeout(() => setImmediate(late), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([check().then(() => null), tooLate]);
  } catch (error) {
    return causeOf(error as Error);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The message with its causes. An `AggregateError`, as for a host with several addresses, has no
 * message.
 */
function causeOf(
  error: Error & { readonly errors?: readonly Error[]; readonly cause?: unknown },
): string {
  const text = error.message || error.errors?.[0]?.message || String(error);
  return error.cause instanceof Error ? `${text}: ${causeOf(error.cause)}` : text;
}
