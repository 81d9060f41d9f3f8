import { monthSpans } from "@partner-connect/audit";
import { estimateConnections } from "@partner-connect/connections";
import type { Sql } from "@partner-connect/database";
import { Gauge, type Registry } from "@partner-connect/service-runtime";
import { CONNECTION_STATUSES } from "../protocol.ts";

/**
 * Milliseconds between two reads. Every replica runs the queries, which take a few milliseconds, so
 * dashboards must use `max by (status)`.
 */
const EVERY_MS = 60_000;

/**
 * Reads the metrics about stored data from Postgres, immediately and every minute. After a failed
 * read a metric is absent, not stale.
 */
export function startCensus(registry: Registry, sql: Sql, refreshTokenTtlSeconds: number) {
  const gauges = createGauges(registry);
  const read = async (): Promise<void> => {
    const [connections, spans] = await Promise.allSettled([
      estimateConnections(sql, refreshTokenTtlSeconds),
      monthSpans(sql),
    ]);
    for (const gauge of Object.values(gauges)) gauge.reset();
    if (connections.status === "fulfilled") {
      for (const status of CONNECTION_STATUSES) gauges.connections.set({ status }, 0);
      for (const { status, connections: count } of connections.value)
        gauges.connections.set({ status }, count);
    }
    for (const { table, monthsAhead, oldestUntil } of spans.status === "fulfilled"
      ? spans.value
      : []) {
      gauges.monthsAhead.set({ table }, monthsAhead);
      if (oldestUntil) gauges.oldestUntil.set({ table }, oldestUntil.getTime() / 1000);
    }
  };
  void read();
  const timer = setInterval(() => void read(), EVERY_MS).unref();
  return { stop: () => clearInterval(timer) };
}

function createGauges(registry: Registry) {
  const gauge = <Label extends string>(name: string, label: Label, help: string) =>
    new Gauge({ name, help, labelNames: [label], registers: [registry] });
  return {
    connections: gauge(
      "partner_connect_connections",
      "status",
      "Connections by status, read every minute; estimated from a sample if the table is large.",
    ),
    monthsAhead: gauge(
      "partner_connect_months_ahead",
      "table",
      "Future months that a table partitioned by month already has.",
    ),
    oldestUntil: gauge(
      "partner_connect_oldest_month_end_timestamp_seconds",
      "table",
      "The end of the oldest month in a table partitioned by month.",
    ),
  };
}
