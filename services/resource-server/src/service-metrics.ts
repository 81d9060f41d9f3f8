import {
  addGauge,
  factsOf,
  Gauge,
  type Registry,
  refusalCounts,
} from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import type { Authenticator } from "./authentication/authenticate.ts";
import type { Permits } from "./http/permits.ts";

interface MeasuredParts {
  readonly authenticator: Authenticator;
  readonly permits: Permits;
}

export function addServiceMetrics(registry: Registry, { authenticator, permits }: MeasuredParts) {
  const { keys } = authenticator;
  addGauge(registry, () => keys.report().age_seconds, {
    name: "partner_connect_jwks_age_seconds",
    help: "Time since the authorization server's keys were fetched last. Missing before the first time.",
  });
  new Gauge({
    name: "partner_connect_jwks_key_info",
    help: "1 for each key whose tokens are accepted.",
    labelNames: ["kid"],
    registers: [registry],
    collect() {
      this.reset();
      for (const kid of keys.report().known) this.set({ kid }, 1);
    },
  });
  addGauge(registry, () => permits.taken, {
    name: "partner_connect_concurrent_requests",
    help: "Requests that are being answered, until their client has read the answer.",
  });
  addGauge(registry, () => permits.limit, {
    name: "partner_connect_concurrent_requests_limit",
    help: "With more, requests wait, and are refused after five seconds.",
  });
}

/** Counts refusals by reason and exceeded limits. */
export function countAnswers(app: FastifyInstance, registry: Registry): void {
  const count = refusalCounts(registry);
  app.addHook("onResponse", (request, _reply, done) => {
    count(factsOf(request));
    done();
  });
}
