import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { manyConnections } from "../../harness/actors/many-connections.ts";
import { type Call, countLost, keepShopsBusy, loadedShops } from "../../harness/actors/shop-load.ts";
import { ask, type CitusCluster, citusCluster, operate } from "../../harness/engines/citus-cluster.ts";
import { citusArchive } from "../../harness/engines/citus-programs.ts";
import { restart } from "../../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../../harness/stack/stacks.ts";
import { table } from "../../load/table.ts";
import { reportRow } from "../row.ts";
import { keepWriting } from "./writers.ts";

const SHOPS = 6;
const REVOKED = 60;
/** Milliseconds after each step, in which what it did is seen. */
const PAUSE = 2000;
const ENV = { PUBLIC_BASE_URL: "https://connect.example" };

interface Step {
  readonly name: string;
  readonly from: number;
  readonly seconds: number;
}

describe.skipIf(citusArchive() === null)("from one Postgres to Citus, while partners call", () => {
  let cluster: CitusCluster;
  let stack: OwnStack;
  let moved: OwnStack | undefined;
  const place = {
    get now() {
      return (moved ?? stack).now;
    },
  };

  beforeAll(async () => {
    cluster = await citusCluster();
    await cluster.startPlain();
    stack = await startOwnStack({ env: { ...ENV, DATABASE_URL: cluster.url } });
  });
  afterAll(async () => {
    await moved?.stop();
    await stack?.stop();
    await cluster?.remove();
  });

  test("nothing that was acknowledged is lost, no answer is untrue, and what can't be served for a moment is 503", async () => {
    const { client, shops } = await loadedShops(stack, SHOPS);
    const writers = keepWriting(cluster.url, place, await manyConnections(stack.now, REVOKED));
    const load = keepShopsBusy(place, client, shops);
    const steps: Step[] = [];
    const step = async (name: string, work: () => Promise<unknown>): Promise<void> => {
      const from = performance.now();
      await work();
      steps.push({ name, from, seconds: (performance.now() - from) / 1000 });
      await sleep(PAUSE);
    };
    await step("nothing", () => sleep(1000));
    await step("Postgres restarted with Citus", () => cluster.startCoordinator());
    await step("two workers added", async () => {
      await cluster.addWorker();
      await cluster.addWorker();
    });
    await step("migrate: settings of the roles", () => operate(cluster.url, ["migrate"]));
    await step("services restarted, one by one", async () => {
      const names = stack.now.processes.map(({ name }) => name).filter((name) => name.includes("-server-"));
      for (const name of names) await restart(stack, name, "SIGTERM");
    });
    await step("migrate --distribute --live", () => operate(cluster.url, ["migrate", "--distribute", "--live"]));
    await step("services moved to the workers", async () => {
      moved = await startOwnStack({
        env: {
          ...{ ...ENV, DATABASE_URL: cluster.url, SERVICES_DATABASE_URL: cluster.servicesUrl },
          ...{ REDIS_URL: stack.now.redis_url, RESOURCE_SERVER_REDIS_URL: stack.now.resource_server_redis_url ?? "" },
        },
        signingKeys: await readFile(join(stack.now.dataDir, "signing-keys.json"), "utf8"),
      });
    });
    await step("a third worker, and a rebalance", async () => {
      await cluster.addWorker();
      await ask(cluster.url, (sql) => sql`SELECT rebalance_table_shards(shard_transfer_mode => 'force_logical')`);
    });
    const sessions = await Promise.all(cluster.workerUrls.map(sessionsOf));
    await load.stop();
    await writers.stop();
    console.info(sessions.join("; "));
    console.info(stepsTable(steps, load.calls));
    console.info([...new Set(writers.failures)].join("\n"));

    const { lost, wrong } = await writers.count();
    const allLost = lost + (await countLost(place, load));
    const allWrong = wrong + load.wrong;
    const failed = load.calls.filter(({ outcome }) => !/^(?:200|201|503)$/.test(outcome)).length;
    const faults = load.calls.filter(({ outcome }) => outcome === "503").length;
    reportRow({
      ...{ scenario: "from one Postgres to Citus, live", requests: load.calls.length, failed, lost: allLost },
      ...{ wrong: allWrong, seconds: steps.reduce((sum, { seconds }) => sum + seconds, 0) },
      note: `${faults} × 503; ${writers.imports} imports and ${writers.revoked} revocations, ${writers.failures.length} repeated`,
    });
    expect({ failed, lost: allLost, wrong: allWrong }).toEqual({ failed: 0, lost: 0, wrong: 0 });
    expect(writers.imports).toBeGreaterThan(20);
  }, 300_000);
});

/** How many sessions the services have on a node, and how many of other nodes ask there for them. */
async function sessionsOf(url: string): Promise<string> {
  const [row] = await ask(
    url,
    (sql) => sql<{ own: number; others: number }[]>`
      SELECT count(*) FILTER (WHERE application_name NOT LIKE 'citus_%')::int AS own,
        count(*) FILTER (WHERE application_name LIKE 'citus_%')::int AS others
      FROM pg_stat_activity WHERE usename LIKE '%\\_server'`,
  );
  return `${row?.own} sessions of the services, ${row?.others} of other nodes`;
}

/** What callers saw of each step, until the next began. */
function stepsTable(steps: readonly Step[], calls: readonly Call[]): string {
  const rows = steps.map(({ name, from, seconds }, index) => {
    const until = steps[index + 1]?.from ?? Number.POSITIVE_INFINITY;
    const during = calls.filter(({ at }) => at >= from && at < until);
    const faults = during.filter(({ outcome }) => outcome === "503");
    const others = during.filter(({ outcome }) => !/^(?:200|201|503)$/.test(outcome)).length;
    const span =
      faults.length > 0
        ? (Math.max(...faults.map(({ at }) => at)) - Math.min(...faults.map(({ at }) => at))) / 1000
        : 0;
    const by = (what: Call["what"]) => String(faults.filter((call) => call.what === what).length);
    const slowest = Math.max(...during.map(({ took }) => took));
    return [
      ...[name, seconds.toFixed(1), String(during.length), by("page"), by("refresh"), by("source")],
      ...[String(others), span.toFixed(1), slowest.toFixed(0)],
    ];
  });
  const head = ["step", "seconds", "calls", "503: pages", "refreshes", "writes", "failed", "503 for s", "slowest ms"];
  return table(head, rows);
}
