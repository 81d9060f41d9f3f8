import { Gauge, type Registry } from "prom-client";
import type { ReadinessChecks } from "../process/readiness.ts";

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
