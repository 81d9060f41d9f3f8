import { Counter, type Registry } from "prom-client";
import type { RequestFacts } from "../http/request-record.ts";

export function refusalCounts(registry: Registry): (facts: RequestFacts) => void {
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
  return ({ reason, limit }) => {
    if (reason !== undefined) refused.inc({ reason });
    if (limit !== undefined) limited.inc({ limit });
  };
}
