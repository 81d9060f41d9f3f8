import { spawn } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@partner-connect/local-stack";
import { parse, stringify } from "yaml";
import { until } from "../stack/processes.ts";
import type { OwnStack } from "../stack/stacks.ts";

const ALERTS = join(import.meta.dirname, "../../../deploy/operations/alerts");

export interface Prometheus {
  /** The names of the alerts that fire now, each with its severity. */
  firing(): Promise<string[]>;
  /** The result of an instant query. */
  query(expression: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]>;
  metricNames(): Promise<Set<string>>;
  stop(): Promise<void>;
}

/**
 * Prometheus on a stack, with a copy of the project's rules. Every span of time in it is `faster` times as short; nothing else of
 * the rules is changed. The configuration has other addresses, and lacks the jobs that a test has no target for.
 */
export async function startPrometheus(stack: OwnStack, faster: number): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-prometheus-"));
  await cp(ALERTS, folder, { recursive: true });
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".yaml")) continue;
    const file = join(folder, name);
    await writeFile(file, shorten(await readFile(file, "utf8"), faster));
  }
  const config = parse(await readFile(join(ALERTS, "prometheus.example.yml"), "utf8"));
  config.global = { scrape_interval: "300ms", scrape_timeout: "300ms", evaluation_interval: "300ms" };
  config.scrape_configs = ["authorization-server", "resource-server", "notifier"].map((job) => ({
    job_name: job,
    static_configs: [{ targets: internalAddresses(stack, job) }],
  }));
  await writeFile(join(folder, "prometheus.yml"), stringify(config));
  const port = await freePort();
  const child = spawn(
    "prometheus",
    [
      `--config.file=${join(folder, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      // Of the same proportion to the intervals as the default.
      "--query.lookback-delta=1500ms",
    ],
    { stdio: "ignore" },
  );
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`);
    const body = (await answer.json()) as { status: string; data: never; error?: string };
    if (body.status !== "success") throw new Error(`${path}: ${body.error}`);
    return body.data;
  };
  await until(() =>
    fetch(`http://127.0.0.1:${port}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    async firing() {
      const { alerts } = (await ask("alerts")) as { alerts: { state: string; labels: Record<string, string> }[] };
      const firing = alerts.filter(({ state }) => state === "firing");
      return firing.map(({ labels }) => `${labels["alertname"]} ${labels["severity"]}`);
    },
    async query(expression) {
      const { result } = (await ask(`query?query=${encodeURIComponent(expression)}`)) as { result: never };
      return result;
    },
    metricNames: async () => new Set(await ask("label/__name__/values")),
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const MILLISECONDS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Ranges, offsets and `for`. */
function shorten(rules: string, faster: number): string {
  return rules.replaceAll(/(\[|offset |for: )(\d+)([smhd])\b/g, (_, before, count, unit) => {
    return `${before}${Math.round((Number(count) * (MILLISECONDS[unit] ?? 0)) / faster)}ms`;
  });
}

function internalAddresses(stack: OwnStack, job: string): string[] {
  const urls = Object.entries(stack.internalUrls).filter(([name]) => name.startsWith(job));
  return urls.map(([, url]) => new URL(url).host);
}
