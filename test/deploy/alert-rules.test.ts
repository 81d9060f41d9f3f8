import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";

const OPERATIONS = join(import.meta.dirname, "../../deploy/operations");
const ALERTS = join(OPERATIONS, "alerts");
const TESTS = readdirSync(join(ALERTS, "tests"));
const RULES = readdirSync(ALERTS).filter((name) => name.endsWith(".yaml"));

interface Alert {
  readonly alert?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
}

const alerts: Alert[] = RULES.flatMap((name) =>
  (
    parse(readFileSync(join(ALERTS, name), "utf8")) as { groups: { rules: Alert[] }[] }
  ).groups.flatMap(({ rules }) => rules),
).filter(({ alert }) => alert !== undefined);

/** Runs promtool, and throws its output if it fails. */
const promtool = (...args: string[]) =>
  execFileSync("promtool", args, { cwd: ALERTS, stdio: "pipe", encoding: "utf8" });

test("promtool accepts the Prometheus configuration with all alert rules", () => {
  expect(promtool("check", "config", "prometheus.example.yml")).toContain(
    `SUCCESS: ${RULES.length} rule files found`,
  );
});

test.each(TESTS)(
  "promtool confirms that each alert of %s fires and resolves",
  (name) => {
    expect(promtool("test", "rules", `tests/${name}`)).toContain("SUCCESS");
  },
  120_000,
);

test("each alert has a test, a severity and a link to its section of alerts.md", () => {
  const names = [...new Set(alerts.map(({ alert }) => alert))].sort();
  const tested = TESTS.flatMap(
    (name) => parse(readFileSync(join(ALERTS, "tests", name), "utf8")).tests,
  )
    .flatMap(
      (group: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }) =>
        group.alert_rule_test,
    )
    .filter(({ exp_alerts }) => exp_alerts.length > 0)
    .map(({ alertname }) => alertname);
  expect([...new Set(tested)].sort()).toEqual(names);

  // Alerts with the same steps share a section: "### RedisFull, RedisForgets".
  const text = `${readFileSync(join(OPERATIONS, "alerts.md"), "utf8")}\n#`;
  const sections = text.matchAll(
    /^### (\w+(?:, \w+)*)\n\n1\. .+\n(?:2\. .+\n(?:3\. .+\n(?:4\. .+\n)?)?)?(?=\n#)/gm,
  );
  const urls = new Map(
    [...sections].flatMap(([, heading = ""]) =>
      heading
        .split(", ")
        .map(
          (name) =>
            [
              name,
              `deploy/operations/alerts.md#${heading.toLowerCase().replaceAll(", ", "-")}`,
            ] as const,
        ),
    ),
  );
  expect([...urls.keys()].sort()).toEqual(names);
  for (const { alert = "", labels, annotations } of alerts) {
    expect(["page", "ticket"]).toContain(labels?.["severity"]);
    expect(annotations?.["summary"]).toMatch(/\S/);
    expect(annotations?.["runbook_url"]).toBe(urls.get(alert));
  }
});
