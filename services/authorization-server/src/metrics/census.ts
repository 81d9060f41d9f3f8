import { monthSpans } from "@partner-connect/audit";
import { estimateConnections } from "@partner-connect/connections";
import type { Sql } from "@partner-connect/database";
import { Gauge, type Registry } from "@partner-connect/service-runtime";

/** Each replica runs these queries, which take some milliseconds; dashboards take the `max by (status)`. */
const EVERY_MS = 60_000;

/** Reads the metrics about stored data from Postgres, immediately and every minute. After a failed read the metric is absent, not stale. */
export function startCensus(registry: Registry, sql: Sql, refreshTokenTtlSeconds: number): { stop(): void } {
  const gauges = createGauges(registry);
  const read = async (): Promise<void> => {
    const [connections, spans] = await Promise.allSettled([
      estimateConnections(sql, refreshTokenTtlSeconds),
      monthSpans(sql),
    ]);
    for (const gauge of Object.values(gauges)) gauge.reset();
    if (connections.status === "fulfilled") {
      for (const status of STATUSES) gauges.connections.set({ status }, 0);
      for (const { status, connections: count } of connections.value) gauges.connections.set({ status }, count);
    }
    for (const { table, monthsAhead, oldestUntil } of spans.status === "fulfilled" ? spans.value : []) {
      gauges.monthsAhead.set({ table }, monthsAhead);
      if (oldestUntil) gauges.oldestUntil.set({ table }, oldestUntil.getTime() / 1000);
    }
  };
  void read();
  const timer = setInterval(() => void read(), EVERY_MS).unref();
  return { stop: () => clearInterval(timer) };
}

const STATUSES = ["approved", "connected", "disabled", "expired", "revoked"];

function createGauges(registry: Registry) {
  const registers = [registry];
  return {
    connections: new Gauge({
      name: "partner_connect_connections",
      help: "Connections by status, read every minute: counted, or estimated from a sample of a large table.",
      labelNames: ["status"],
      registers,
    }),
    monthsAhead: new Gauge({
      name: "partner_connect_months_ahead",
      help: "Of a table that is parted by month: months after the current one that are made.",
      labelNames: ["table"],
      registers,
    }),
    oldestUntil: new Gauge({
      name: "partner_connect_oldest_month_end_timestamp_seconds",
      help: "Of a table that is parted by month: the end of the oldest month that is kept.",
      labelNames: ["table"],
      registers,
    }),
  };
}
