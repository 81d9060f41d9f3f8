import { Gauge, Histogram, type Registry } from "prom-client";

/** Learns of what a store is asked, and of the milliseconds until the answer, with the wait for a connection. */
export interface StoreMeter {
  begun(): void;
  ended(milliseconds: number): void;
}

/** Latency of the stores, and how much is asked and not answered yet: `meter(store)` measures that store. */
export function storeMeters(registry: Registry): (store: string) => StoreMeter {
  const durations = new Histogram({
    name: "partner_connect_store_duration_seconds",
    help: "Time from a statement or command until its answer, with the wait for a connection. A transaction counts as one.",
    labelNames: ["store"],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  const waiting = new Map<string, number>();
  new Gauge({
    name: "partner_connect_store_waiting",
    help: "Statements or commands that have no answer yet.",
    labelNames: ["store"],
    registers: [registry],
    collect() {
      for (const [store, count] of waiting) this.set({ store }, count);
    },
  });
  return (store) => {
    const { observe } = durations.labels({ store });
    const add = (count: number): void => void waiting.set(store, (waiting.get(store) ?? 0) + count);
    add(0);
    durations.zero({ store });
    return {
      begun: () => add(1),
      ended(milliseconds) {
        add(-1);
        observe(milliseconds / 1000);
      },
    };
  };
}
