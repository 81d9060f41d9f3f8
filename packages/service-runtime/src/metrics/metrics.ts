import { readFileSync } from "node:fs";
import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export interface Metrics {
  readonly registry: Registry;
  /** Seconds a request took, by method, route and status. */
  readonly durations: Histogram;
}

const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * Node's own metrics of the process, which build it is, and how long its requests took.
 *
 * @param revision the commit that runs
 */
export function createMetrics(revision = "unknown"): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "partner_connect_build_info",
    help: "1 for the build that runs.",
    labelNames: ["version", "revision"],
    registers: [registry],
  }).set({ version: readVersion(), revision }, 1);
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from a request's arrival to the end of its response.",
    labelNames: ["method", "route", "status"],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  return { registry, durations };
}

/** All packages have one version. */
function readVersion(): string {
  const file = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(file) as { version: string }).version;
}
