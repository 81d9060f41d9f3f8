import { randomUUID } from "node:crypto";
import { changeDatabaseUrl, connectDatabase, parseDatabaseUrl } from "@partner-connect/database";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { merchantBrowser } from "../harness/actors/merchant-browser.ts";
import { onboard } from "../harness/actors/onboarding.ts";
import { type Partner, partner, type Tokens } from "../harness/actors/partner.ts";
import {
  clusterFrom,
  copyWhileItRuns,
  makeCluster,
  type PostgresCluster,
} from "../harness/engines/postgres-cluster.ts";
import { keepAsking, restart, until, withRetries } from "../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../harness/stack/stacks.ts";
import { report } from "./tally.ts";

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

async function ask(cluster: PostgresCluster, statement: string) {
  const sql = connectDatabase(cluster.url, { name: "test", connections: 1, standby: true });
  try {
    return await sql.unsafe(statement);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

const sessions = (cluster: PostgresCluster) =>
  ask(cluster, "SELECT usename, application_name FROM pg_stat_activity WHERE usename LIKE '%\\_server'");

describe("Postgres with a standby that commits wait for", () => {
  let stack: OwnStack;
  let app: Partner;
  let tokens: Tokens;
  const acknowledged: string[] = [];

  const read = () => app.call("/api/responses?limit=10", tokens.accessToken);
  const refresh = () => app.refresh(tokens.refreshToken);
  const write = (external_id: string) =>
    app.call("/api/sources", tokens.accessToken, { name: "Hats", type: "podcast", external_id });

  beforeAll(async () => {
    // The standby is first in the list: reads from it may be stale.
    const hosts = [standby, primary].flatMap(({ url }) => parseDatabaseUrl(url).hosts);
    stack = await startOwnStack({ env: { DATABASE_URL: changeDatabaseUrl(primary.url, { hosts }) } });
    const { client, merchant, advancedShop } = await onboard(stack.now);
    app = partner(stack.now, client);
    tokens = await app.connect(merchantBrowser(merchant), advancedShop, { scope: "responses:read sources:write" });
  });
  afterAll(() => stack?.stop());

  test("the primary killed under load, the standby promoted: no acknowledged write is lost", async () => {
    expect(await sessions(standby)).toEqual([]);
    const loads = [
      keepAsking(read, 2),
      keepAsking(refresh, 2),
      keepAsking(async () => {
        const id = randomUUID();
        const answer = await write(id);
        if (answer.status === 201) acknowledged.push(id);
        return answer;
      }, 4),
    ];
    await until(() => acknowledged.length > 50);
    await primary.kill();
    const since = performance.now();
    await ask(standby, "SELECT pg_promote(true, 10)");
    await until(async () => {
      const answers = await Promise.all([read(), read(), refresh(), refresh(), write("probe"), write("probe")]);
      return answers.every(({ status }) => status === 200 || status === 201);
    });
    const seconds = (performance.now() - since) / 1000;
    const before = acknowledged.length;
    await until(() => acknowledged.length > before + 20);
    const counts = [];
    for (const load of loads) counts.push(await load.stop());

    let lost = 0;
    for (const id of acknowledged) if ((await withRetries(() => write(id))).status !== 200) lost++;
    report("failover: primary killed, standby promoted", {
      calls: counts,
      acknowledged: acknowledged.length,
      lost,
      seconds,
    });
    expect(lost).toBe(0);
    expect(counts.map((count) => Object.keys(count).filter((outcome) => !/^20[01]$|^503$/.test(outcome)))).toEqual([
      [],
      [],
      [],
    ]);
    expect(seconds).toBeLessThan(10);
  });

  test("the old primary, started again by mistake: a service that is connected stays with the new one, and it acknowledges no write", async () => {
    await primary.start(SYNCHRONOUS);
    for (const ask of [read, refresh]) expect((await ask()).status).toBe(200);
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

  test("the old primary as a standby: processes that start pass it over, and nothing is lost", async () => {
    await primary.write("standby.signal", "");
    await primary.start({ primary_conninfo: connectionTo(standby) });
    for (const name of ["authorization-server-1", "resource-server-1"]) await restart(stack, name, "SIGKILL");
    expect((await withRetries(refresh)).status).toBe(200);
    expect(await sessions(primary)).toEqual([]);
    for (const id of acknowledged.slice(-20)) expect((await withRetries(() => write(id))).status).toBe(200);
  });
});
