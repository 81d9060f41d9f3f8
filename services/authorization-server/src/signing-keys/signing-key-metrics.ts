import { addGauge, addInfo, Gauge, type Registry } from "@partner-connect/service-runtime";
import type { LiveSigningKeys } from "./live-signing-keys.ts";

export function addSigningKeyMetrics(registry: Registry, keys: LiveSigningKeys): void {
  addInfo(
    registry,
    {
      name: "partner_connect_signing_key_info",
      help: "1 for each published key, with its status: announced, active or retiring.",
      labelNames: ["kid", "status"],
    },
    () => keys.current.states.map(({ kid, status }) => ({ kid, status })),
  );
  new Gauge({
    name: "partner_connect_signing_key_created_timestamp_seconds",
    help: "When a published key was made.",
    labelNames: ["kid"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { kid, createdAt } of keys.current.states) this.set({ kid }, createdAt.getTime() / 1000);
    },
  });
  addGauge(
    registry,
    {
      name: "partner_connect_signing_keys_file_usable",
      help: "1: the keys are those of the file. 0: it can't be used, and the last good keys stay in use.",
    },
    () => (keys.report().keys_file_problem === null ? 1 : 0),
  );
}
