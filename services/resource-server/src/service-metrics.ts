import { addGauge, type Registry } from "@partner-connect/service-runtime";
import type { KeySet } from "./authentication/key-set.ts";
import type { Permits } from "./http/permits.ts";

export function addServiceMetrics(registry: Registry, keys: KeySet, permits: Permits) {
  addGauge(registry, () => keys.report().age_seconds, {
    name: "partner_connect_jwks_age_seconds",
    help: "Time since the authorization server's keys were fetched last. Missing before the first time.",
  });
  addGauge(registry, () => keys.report().known.map((kid) => [{ kid }, 1]), {
    name: "partner_connect_jwks_key_info",
    help: "1 for each key whose tokens are accepted.",
    labelNames: ["kid"],
  });
  addGauge(registry, () => permits.taken, {
    name: "partner_connect_concurrent_requests",
    help: "Requests that are being answered, until their client has read the answer.",
  });
  addGauge(registry, () => permits.limit, {
    name: "partner_connect_concurrent_requests_limit",
    help: "Maximum of concurrent requests. Further ones wait, and are refused after five seconds.",
  });
}
