import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { openFeed, type TestFeed } from "@partner-connect/connections/changes/testing";
import { derivedRolePassword, derivedRolePasswords, migrate, roleUrl } from "@partner-connect/database";
import { afterAll, beforeAll, describe, test } from "vitest";
import { ask, type CitusCluster, distributeDatabase, startCitus } from "../../harness/engines/citus-cluster.ts";
import { citusArchive } from "../../harness/engines/citus-programs.ts";
import type { PostgresCluster } from "../../harness/engines/postgres-cluster.ts";
import { tryFeed } from "../try-feed.ts";

const run = promisify(execFile);

describe.skipIf(citusArchive() === null)("Citus: a coordinator and two workers", () => {
  let cluster: CitusCluster;
  let feed: TestFeed;

  beforeAll(async () => {
    cluster = await startCitus();
    const password = (role: "authorization_server" | "worker") => derivedRolePassword("model", role);
    await migrate(cluster.url, { passwords: derivedRolePasswords("model") });
    await distributeDatabase(cluster.url);
    const as = (role: "authorization_server" | "worker") => roleUrl(cluster.servicesUrl, role, password(role));
    feed = openFeed({
      url: cluster.url,
      workerUrl: as("worker"),
      authorizationServerUrl: as("authorization_server"),
    });
  }, 120_000);
  afterAll(async () => {
    await feed?.close();
    await cluster?.remove();
  });

  const node = (index: number) => cluster.nodes[index] as PostgresCluster;
  const copyOf = ({ folder }: PostgresCluster): string => `${folder}-earlier`;

  async function setBack(one: PostgresCluster): Promise<void> {
    await run("sh", ["-c", 'rm -rf "$1" && mv "$2" "$1"', "sh", one.folder, copyOf(one)]);
  }

  /** What a physical backup is, of nodes that stand still. */
  async function backUp(indexes: readonly number[]): Promise<void> {
    for (const index of indexes) await node(index).stop();
    for (const index of indexes) await run("cp", ["-a", node(index).folder, copyOf(node(index))]);
    for (const index of indexes) await cluster.startNode(index);
  }

  async function restore(indexes: readonly number[]): Promise<void> {
    for (const index of indexes) await node(index).kill();
    for (const index of indexes) await setBack(node(index));
    for (const index of indexes) await cluster.startNode(index);
  }

  test("nodes killed, one restored alone, all restored together: nothing is missed, nothing appears behind a reader", {
    timeout: 1_800_000,
  }, async () => {
    const killed = [0, 1, 2].map((index) => async () => {
      await node(index).kill();
      await sleep(500);
      await cluster.startNode(index);
    });
    const disturbances = [
      ...killed,
      () => backUp([2]),
      async () => {
        await restore([2]);
        // What a failover that lost commits asks of an operator (runbook, 'The relay').
        await ask(cluster.url, (sql) => sql`CALL oauth.note_all_connections()`);
      },
      () => backUp([0, 1, 2]),
      () => restore([0, 1, 2]),
    ];
    await tryFeed("Citus, feed: nodes killed and restored", feed, disturbances);
  });
});
