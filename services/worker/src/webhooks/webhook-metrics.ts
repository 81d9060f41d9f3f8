import type { Sql } from "@partner-connect/database";
import { Counter, Gauge, type Registry } from "@partner-connect/service-runtime";
import { countWebhooks } from "@partner-connect/webhooks";

/** What came of hints in this process, and how many endpoints there are; the second is the same in all processes. */
export function webhookMetrics(registry: Registry, sql: Sql) {
  const hints = new Counter({
    name: "partner_connect_webhook_hints_total",
    help: "Attempts to send a hint to an endpoint.",
    labelNames: ["outcome"],
    registers: [registry],
  });
  for (const outcome of ["arrived", "failed"]) hints.inc({ outcome }, 0);
  new Gauge({
    name: "partner_connect_webhooks",
    help: "Endpoints for hints. failing: active, and the last hint did not arrive.",
    labelNames: ["status"],
    registers: [registry],
    async collect() {
      const counts = await countWebhooks(sql).catch(() => null);
      if (counts === null) this.reset();
      else for (const [status, count] of Object.entries(counts)) this.set({ status }, count);
    },
  });
  return { count: (outcome: "arrived" | "failed") => hints.inc({ outcome }) };
}
