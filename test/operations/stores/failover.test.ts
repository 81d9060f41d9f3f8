import { randomUUID } from "node:crypto";
import { changeDatabaseUrl, connectDatabase, parseDatabaseUrl } from "@partner-connect/database";
import { type Door, doorTo } from "@partner-connect/service-runtime/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { onboard } from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { type Partner, partner, type Tokens } from "../../harness/actors/partner.ts";
import {
  clusterFrom,
  copyWhileItRuns,
  makeCluster,
  type PostgresCluster,
} from "../../harness/engines/postgres-cluster.ts";
import { isReady, keepAsking, restart, until, withRetries } from "../../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../../harness/stack/stacks.ts";
import { countCalls, reportRow } from "../row.ts";

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
    // The standby is named first: who reads of it, reads what may be old.
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
    const promoted = (performance.now() - since) / 1000;
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
    const unavailable = counts.reduce((sum, count) => sum + (count["503"] ?? 0), 0);
    reportRow({
      ...{ scenario: "failover: primary killed, standby promoted, synchronous commit", lost, seconds },
      ...countCalls(counts, [200, 201, 503]),
      note: `${acknowledged.length} writes acknowledged; ${unavailable} × 503; promoted after ${promoted.toFixed(1)} s`,
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
    const alone = sql`INSERT INTO directory.shops (name, plan) VALUES ('Alone', 'standard')`.then(
      () => "acknowledged",
      () => "lost",
    );
    const first = await Promise.race([alone, new Promise((resolve) => setTimeout(resolve, 1500, "waits"))]);
    expect(first).toBe("waits");
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

describe("Postgres behind one address", () => {
  let stack: OwnStack;
  let door: Door;
  /** The last test left it as the primary. */
  let old: PostgresCluster;
  let next: PostgresCluster;

  beforeAll(async () => {
    old = standby;
    next = await standbyOf(old);
    door = await doorTo(old.url);
    const env = { DATABASE_URL: door.url, RESOURCE_SERVER_REPLICAS: "2" };
    stack = await startOwnStack({ env });
  });
  afterAll(async () => {
    await stack?.stop();
    door?.close();
    await next?.remove();
  });

  /** What each replica of the resource server answers to the token. */
  const statuses = (token: string) =>
    Promise.all(
      stack.now.resource_server_urls.map(async (url) => {
        const answer = await fetch(`${url}/api/responses?limit=1`, { headers: { authorization: `Bearer ${token}` } });
        await answer.arrayBuffer();
        return answer.status;
      }),
    );
  const areReady = async () => {
    const names = stack.now.processes.map(({ name }) => name).filter((name) => name.includes("-server-"));
    return (await Promise.all(names.map((name) => isReady(stack, name)))).every(Boolean);
  };

  async function connected() {
    const { client, merchant, advancedShop } = await onboard(stack.now);
    const { accessToken } = await partner(stack.now, client).connect(merchantBrowser(merchant), advancedShop);
    const [connection] = await operator(stack.now, ["connection", "list", "--client", client.clientId]);
    return { client, accessToken, id: connection.id };
  }

  test("the primary is demoted and its connections stay open: each replica obeys what is revoked on the new one within ten seconds", async () => {
    const [disabled, revoked, live] = [await connected(), await connected(), await connected()];
    const [{ lsn } = {}] = await ask(old, "SELECT pg_current_wal_lsn()::text AS lsn");
    const followed = `SELECT WHERE pg_last_wal_replay_lsn() >= '${lsn}'`;
    await until(async () => (await ask(next, followed)).length === 1);
    expect(await statuses(live.accessToken)).toEqual([200, 200]);

    await ask(old, "ALTER SYSTEM SET default_transaction_read_only = on");
    await ask(old, "SELECT pg_reload_conf()");
    await ask(next, "SELECT pg_promote(true, 10)");
    door.leadTo(next.url);
    await operator(stack.now, ["connection", "disable", disabled.id, "--yes"]);
    await operator(stack.now, ["connection", "revoke", revoked.id, "--yes"]);
    const since = performance.now();
    const refused = async () => [await statuses(disabled.accessToken), await statuses(revoked.accessToken)];
    // Ten seconds, and what a busy machine adds.
    const patience = { timeout: 20_000, interval: 50 };
    await expect.poll(refused, patience).toEqual([
      [403, 403],
      [403, 403],
    ]);
    reportRow({
      ...{ scenario: "Postgres demoted behind one address, its connections left open", requests: 2, failed: 0 },
      seconds: (performance.now() - since) / 1000,
      note: "until each replica obeyed a disabled and a revoked connection",
    });
    await expect.poll(() => sessions(old), { timeout: 20_000 }).toEqual([]);
    await until(areReady);
    expect(await statuses(live.accessToken)).toEqual([200, 200]);
    expect((await connected()).id).toEqual(expect.any(String));
  }, 120_000);

  test("the old primary returns as a standby, and the address leads to it: no service is ready or uses it, until the address leads to the primary", async () => {
    const { accessToken } = await connected();
    await old.kill();
    await old.write("standby.signal", "");
    await old.start({ primary_conninfo: connectionTo(next) });
    door.leadTo(old.url);
    await expect.poll(() => statuses(accessToken), { timeout: 20_000 }).toEqual([503, 503]);
    await until(async () => !(await areReady()));
    expect(await sessions(old)).toEqual([]);
    door.leadTo(next.url);
    await until(areReady);
    expect(await statuses(accessToken)).toEqual([200, 200]);
  }, 120_000);
});
