import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { addGauge, createMetrics, storeMeters } from "./metrics.ts";

const valuesOf = async ({ registry }: ReturnType<typeof createMetrics>, name: string) =>
  (await registry.getSingleMetric(name)?.get())?.values.map(({ labels, value }) => ({
    ...labels,
    value,
  }));

test("a command to a store counts as waiting until the response, and is then timed", async () => {
  const metrics = createMetrics();
  const meter = storeMeters(metrics.registry)("redis");
  const answered = setTimeout(20);
  meter(answered);
  meter(new Promise(() => {}));
  await answered;
  expect(await valuesOf(metrics, "partner_connect_store_waiting")).toEqual([
    { store: "redis", value: 1 },
  ]);
  const text = await metrics.registry.metrics();
  expect(text).toContain(
    'partner_connect_store_duration_seconds_bucket{le="0.01",store="redis"} 0',
  );
  expect(text).toContain('partner_connect_store_duration_seconds_bucket{le="5",store="redis"} 1');
});

test("a scrape reads a gauge's current value, and omits an unknown value", async () => {
  const metrics = createMetrics();
  let age: number | null = null;
  addGauge(metrics.registry, () => age, { name: "age_seconds", help: "An age." });
  expect(await valuesOf(metrics, "age_seconds")).toEqual([]);
  age = 7;
  expect(await valuesOf(metrics, "age_seconds")).toEqual([{ value: 7 }]);
});
