import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mainStack } from "../../harness/stack/stacks.ts";
import { ROOT } from "../../tiers.ts";

const OPERATIONS = `${ROOT}deploy/operations`;

/** Written by the operator's scheduled tasks (runbook). */
const OF_TASKS = "partner_connect_task_success_timestamp_seconds";

/** The parts of a Grafana dashboard that are checked here. */
interface Dashboard {
  readonly panels: readonly {
    readonly id: number;
    readonly gridPos: { readonly x: number; readonly w: number };
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

test("the services export each metric that the dashboards and the alerts query", async () => {
  const texts = await Promise.all(
    Object.values(mainStack().internal_urls).map(
      async (url) => await (await fetch(`${url}/metrics`)).text(),
    ),
  );
  const exported = new Set(
    [...texts.join("\n").matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name),
  );
  const rules = globSync("alerts/*.yaml", { cwd: OPERATIONS }).map((name) =>
    readFileSync(`${OPERATIONS}/${name}`, "utf8"),
  );
  const dashboards = globSync("dashboards/*", { cwd: OPERATIONS }).map(
    (name): Dashboard => JSON.parse(readFileSync(`${OPERATIONS}/${name}`, "utf8")),
  );
  const panels = dashboards.flatMap((dashboard) => dashboard.panels);
  const asked = [
    ...rules,
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ].join("\n");
  const names = new Set(asked.match(/\b(?:partner_connect|http|process|nodejs)_\w+/g));
  expect(names.size).toBeGreaterThan(20);
  const isExported = (name: string) =>
    name === OF_TASKS ||
    exported.has(name) ||
    exported.has(name.replace(/_(bucket|sum|count)$/, ""));
  expect([...names].filter((name) => !isExported(name))).toEqual([]);
  for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  for (const { panels: own } of dashboards)
    expect(new Set(own.map(({ id }) => id)).size).toBe(own.length);
});
