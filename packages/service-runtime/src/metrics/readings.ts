import { Counter, Gauge, type Registry } from "prom-client";
import type { ReadinessChecks } from "../process/readiness.ts";

/** What a metric has at the moment when it is asked. The value with no label has the key "". */
export interface Reading {
  readonly name: string;
  readonly help: string;
}

/** A number that `read` tells when the metrics are asked, so that nothing has to be counted on the way. Null: not known. */
export function addGauge(registry: Registry, { name, help }: Reading, read: () => number | null): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      const value = read();
      if (value === null) this.remove();
      else this.set(value);
    },
  });
}

/** A set of things, each with its labels and 1. */
export function addInfo<Label extends string>(
  registry: Registry,
  { name, help, labelNames }: Reading & { readonly labelNames: readonly Label[] },
  read: () => readonly Readonly<Record<Label, string>>[],
): void {
  new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    collect() {
      this.reset();
      for (const labels of read()) this.set(labels, 1);
    },
  });
}

/** The owner of the cache counts: two integers, on the way of every request. */
export interface CacheUse {
  readonly hits: number;
  readonly misses: number;
}

export function addCaches(registry: Registry, caches: Readonly<Record<string, CacheUse>>): void {
  new Counter({
    name: "partner_connect_cache_requests_total",
    help: "Look-ups in caches of this process.",
    labelNames: ["cache", "result"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [cache, { hits, misses }] of Object.entries(caches)) {
        this.inc({ cache, result: "hit" }, hits);
        this.inc({ cache, result: "miss" }, misses);
      }
    },
  });
}

/** The checks of `/readyz` as a metric: Prometheus asks the internal port and hears which part fails. */
export function addReadiness(
  registry: Registry,
  checks: ReadinessChecks,
  failing: (excluded: readonly string[]) => Promise<string[]>,
): void {
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
}
