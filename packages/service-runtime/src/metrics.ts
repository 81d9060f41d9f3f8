import type { FastifyInstance } from "fastify";
import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  Registry,
} from "prom-client";
import packageJson from "../package.json" with { type: "json" };
import { factsOf, onAnswer } from "./http/request-record.ts";

export interface Metrics {
  readonly registry: Registry;
  /** Seconds per request, by method, route and status. */
  readonly durations: Histogram;
}

const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Node's own metrics, the build (`revision` is its commit), and request durations. */
export function createMetrics(revision = "unknown"): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "partner_connect_build_info",
    help: "1 for the build that runs.",
    labelNames: ["version", "revision"],
    registers: [registry],
  }).set({ version: packageJson.version, revision }, 1);
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from a request's arrival to the end of its response.",
    labelNames: ["method", "route", "status"],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  return { registry, durations };
}

/** The value of a gauge, or of each set of its labels; null if it is unknown. */
type Reading =
  | number
  | null
  | readonly (readonly [labels: Record<string, string>, value: number])[];

/** A gauge that calls `read` at each scrape. */
export function addGauge(
  registry: Registry,
  read: () => Reading | Promise<Reading>,
  about: Pick<GaugeConfiguration<string>, "name" | "help" | "labelNames">,
): void {
  new Gauge({
    ...about,
    registers: [registry],
    async collect() {
      const found = await read();
      if (found === null) return this.remove();
      if (typeof found === "number") return this.set(found);
      this.reset();
      for (const [labels, value] of found) this.set(labels, value);
    },
  });
}

/** Concurrent calls share one reading, which is null if it failed. */
export function sharedReading<Found>(read: () => Promise<Found>): () => Promise<Found | null> {
  let reading: Promise<Found | null> | null = null;
  return () => {
    reading ??= read()
      .catch(() => null)
      .finally(() => (reading = null));
    return reading;
  };
}

/** Counts refusals by reason, and requests over a limit. */
export function countRefusals(app: FastifyInstance, registry: Registry): void {
  const refused = new Counter({
    name: "partner_connect_refused_total",
    help: "Requests that were refused or failed, by the reason that their log record names.",
    labelNames: ["reason"],
    registers: [registry],
  });
  const limited = new Counter({
    name: "partner_connect_rate_limited_total",
    help: "Requests over a limit, by limit.",
    labelNames: ["limit"],
    registers: [registry],
  });
  onAnswer(app, (request) => {
    const { reason, limit } = factsOf(request);
    if (reason !== undefined) refused.inc({ reason });
    if (limit !== undefined) limited.inc({ limit });
  });
}

/** Measures a call to a store until its answer. */
export type StoreMeter = (call: Promise<unknown>) => void;

/** Latency and pending calls of the stores. Returns a function from a store's name to its meter. */
export function storeMeters(registry: Registry): (store: string) => StoreMeter {
  const durations = new Histogram({
    name: "partner_connect_store_duration_seconds",
    help: "Time from a statement or command until its answer, with the wait for a connection. A transaction counts as one.",
    labelNames: ["store"],
    buckets: [0.0005, ...DURATION_BUCKETS],
    registers: [registry],
  });
  const waiting = new Gauge({
    name: "partner_connect_store_waiting",
    help: "Statements or commands that have no answer yet.",
    labelNames: ["store"],
    registers: [registry],
  });
  return (store) => {
    const { observe } = durations.labels({ store });
    const { inc, dec, set } = waiting.labels({ store });
    set(0);
    durations.zero({ store });
    return (call) => {
      const begun = performance.now();
      const end = (): void => {
        dec();
        observe((performance.now() - begun) / 1000);
      };
      inc();
      // a statement's own `then` would send it
      Promise.prototype.then.call(call, end, end);
    };
  };
}
