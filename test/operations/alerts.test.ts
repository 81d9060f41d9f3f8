import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type OwnRedis, ownRedis } from "@partner-connect/service-runtime/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { merchantBrowser } from "../harness/actors/merchant-browser.ts";
import { onboard } from "../harness/actors/onboarding.ts";
import { partner } from "../harness/actors/partner.ts";
import { type Prometheus, startPrometheus } from "../harness/engines/prometheus.ts";
import { keepAsking, until } from "../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../harness/stack/stacks.ts";
import { countCalls, reportRow } from "./row.ts";

/** The shortest range of the rules, 5 minutes, is 1.5 seconds then, and holds five scrapes. An alert ends after the 30 minutes: 9 seconds. */
const FASTER = 200;

/** Nothing of it happens in these tests. */
const NOT_YET = ["partner_connect_rate_limited_total", "partner_connect_revocations_total"];

/** What Grafana imports, as far as it is checked here. */
interface Dashboard {
  readonly panels: readonly {
    readonly id: number;
    readonly gridPos: { readonly x: number; readonly w: number };
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

const DASHBOARDS = join(import.meta.dirname, "../../deploy/operations/dashboards");

describe("Prometheus with our rules, each span of time 200 times as short", () => {
  let redis: OwnRedis;
  let stack: OwnStack;
  let prometheus: Prometheus;
  beforeAll(async () => {
    redis = await ownRedis();
    stack = await startOwnStack({ env: { REDIS_URL: redis.url, NOTIFIER_REPLICAS: "1" } });
    prometheus = await startPrometheus(stack, FASTER);
  });
  afterAll(async () => {
    await prometheus?.stop();
    await stack?.stop();
    await redis?.stop();
  });

  test("Redis is killed: the pages fire, and are over when it is back", async () => {
    const { client, merchant, shop } = await onboard(stack.now);
    const app = partner(stack.now, client);
    const tokens = await app.connect(merchantBrowser(merchant), shop);
    const loads = [
      keepAsking(() => app.refresh(tokens.refreshToken), 1),
      keepAsking(() => app.call("/api/responses", tokens.accessToken), 1),
    ];
    const pages = async () => (await prometheus.firing()).filter((alert) => alert.endsWith(" page")).sort();
    await until(async () => (await prometheus.query('slo:bad:ratio_rate5m{slo="token"} == 0')).length === 1);
    // A stall of the machine is minutes of an outage here.
    await expect.poll(pages).toEqual([]);

    const since = performance.now();
    await redis.kill();
    const expected = ["StoreUnreachable page", "TokenRequestsFail page"];
    await until(async () => {
      const fired = await pages();
      return expected.every((alert) => fired.includes(alert));
    });
    expect(await pages()).not.toContain("ApiRequestsFail page");
    const seconds = (performance.now() - since) / 1000;

    await redis.start();
    await expect.poll(pages, { timeout: 40_000, interval: 200 }).toEqual([]);
    const [tokenCalls = {}, apiCalls = {}] = await Promise.all(loads.map((load) => load.stop()));
    expect(Object.keys(apiCalls)).toEqual(["200"]);
    reportRow({
      scenario: "Redis killed: pages fire and end",
      ...countCalls([tokenCalls, apiCalls], [200, 503]),
      seconds,
      note: `fired after ${seconds.toFixed(1)} s of shortened time; ${tokenCalls["503"] ?? 0} refreshes 503`,
    });
  });

  /** As Grafana fills them in. */
  const filled = (query: string) => query.replaceAll("$instance", ".*").replaceAll("$__rate_interval", "2s");

  test.each(readdirSync(DASHBOARDS))("knows what the dashboard %s asks for", async (name) => {
    const dashboard: Dashboard = JSON.parse(readFileSync(join(DASHBOARDS, name), "utf8"));
    const known = await prometheus.metricNames();
    const asked = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => filled(expr)));
    for (const query of asked) {
      await prometheus.query(query);
      const names = query.match(/\b(?:slo:|partner_connect_|http_|process_|nodejs_)\w*(?::\w+)*/g) ?? [];
      expect(names.length, query).toBeGreaterThan(0);
      // A counter with labels has no series before its first event.
      for (const metric of names) expect(known.has(metric) || NOT_YET.includes(metric), metric).toBe(true);
    }
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    for (const { gridPos } of dashboard.panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  });
});
