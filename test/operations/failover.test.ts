import { changeDatabaseUrl, connectDatabase, parseDatabaseUrl } from "@partner-connect/database";
import { withDatabase } from "@partner-connect/database/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PartnerClient } from "../harness/actors/onboarding.ts";
import {
  areServed,
  countLost,
  createLoadedShops,
  keepShopsBusy,
  type LoadedShop,
  type ShopLoad,
} from "../harness/actors/shop-load.ts";
import {
  clusterFrom,
  copyWhileItRuns,
  makeCluster,
  type PostgresCluster,
} from "../harness/engines/postgres-cluster.ts";
import { restart, until } from "../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../harness/stack/stacks.ts";
import { report, tallyOf } from "./tally.ts";

/** A commit is acknowledged once the standby has it on disk. */
const SYNCHRONOUS = {
  synchronous_standby_names: "FIRST 1 (standby)",
  synchronous_commit: "on",
  wal_keep_size: "256MB",
};

let primary: PostgresCluster;
let standby: PostgresCluster;

beforeAll(async () => {
  primary = await makeCluster();
  await primary.start({ wal_keep_size: "256MB" });
  standby = await standbyOf(primary);
  await primary.stop();
  await primary.start(SYNCHRONOUS);
  const isFollowed = async () =>
    (await ask(primary, "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")).length;
  await until(async () => (await isFollowed()) === 1);
});
afterAll(async () => {
  await primary?.remove();
  await standby?.remove();
});

async function standbyOf(cluster: PostgresCluster): Promise<PostgresCluster> {
  const copy = await clusterFrom(await copyWhileItRuns(cluster));
  await copy.write("standby.signal", "");
  await copy.start({ primary_conninfo: connectionTo(cluster) });
  return copy;
}

function connectionTo({ url }: PostgresCluster): string {
  const { user, password, hosts } = parseDatabaseUrl(url);
  return `host=${hosts[0]?.host} port=${hosts[0]?.port} user=${user} password=${password} application_name=standby`;
}

const ask = (cluster: PostgresCluster, statement: string) =>
  withDatabase(cluster.url, (sql) => sql.unsafe(statement), true);
const sessions = (cluster: PostgresCluster) =>
  ask(
    cluster,
    "SELECT usename, application_name FROM pg_stat_activity WHERE usename LIKE '%\\_server'",
  );

let stack: OwnStack;
let client: PartnerClient;
let shops: readonly LoadedShop[];
let load: ShopLoad;

beforeAll(async () => {
  // The standby is first in the list: reads from it may be stale.
  const hosts = [standby, primary].flatMap(({ url }) => parseDatabaseUrl(url).hosts);
  stack = await startOwnStack({
    env: { DATABASE_URL: changeDatabaseUrl(primary.url, { hosts }) },
  });
  ({ client, shops } = await createLoadedShops(stack, 3));
});
afterAll(() => stack?.stop());

test("with a synchronous standby, no acknowledged write is lost if the primary is killed under load and the standby is promoted", async () => {
  expect(await sessions(standby)).toEqual([]);
  load = keepShopsBusy(stack, client, shops);
  await until(() => load.acknowledged.length > 50);
  await primary.kill();
  const since = performance.now();
  await ask(standby, "SELECT pg_promote(true, 10)");
  await until(() => areServed(stack, client, shops));
  const seconds = (performance.now() - since) / 1000;
  const before = load.acknowledged.length;
  await until(() => load.acknowledged.length > before + 20);
  await load.stop();
  const tally = await tallyOf(stack, load);
  report("failover: primary killed, standby promoted", { ...tally, seconds });
  expect(tally).toMatchObject({ failed: 0, lost: 0, wrong: 0 });
  expect(seconds).toBeLessThan(10);
});

test("if the old primary is started again, the services stay on the new primary, and the old primary acknowledges no write", async () => {
  await primary.start(SYNCHRONOUS);
  expect(await areServed(stack, client, shops)).toBe(true);
  expect(await sessions(primary)).toEqual([]);
  const sql = connectDatabase(primary.url, { name: "test", connections: 1 });
  let isAcknowledged = false;
  sql`INSERT INTO directory.shops (name, plan) VALUES ('Alone', 'standard')`.then(
    () => {
      isAcknowledged = true;
    },
    () => {},
  );
  const waits = () => ask(primary, "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
  await until(async () => (await waits()).length === 1);
  expect(isAcknowledged).toBe(false);
  await primary.kill();
  await sql.end({ timeout: 0 });
});

test("once the old primary is a standby, restarted services use the new primary, and no acknowledged write is lost", async () => {
  await primary.write("standby.signal", "");
  await primary.start({ primary_conninfo: connectionTo(standby) });
  for (const name of ["authorization-server-1", "resource-server-1"])
    await restart(stack, name, "SIGKILL");
  await until(() => areServed(stack, client, shops));
  expect(await sessions(primary)).toEqual([]);
  expect(await countLost(stack, { acknowledged: load.acknowledged.slice(-20) })).toBe(0);
});
