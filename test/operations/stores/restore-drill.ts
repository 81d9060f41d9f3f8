import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { connectDatabase, type Sql } from "@partner-connect/database";
import { expect, onTestFinished } from "vitest";
import { type ManyConnections, manyConnections } from "../../harness/actors/many-connections.ts";
import { onboard, onboardApiKey } from "../../harness/actors/onboarding.ts";
import { callApi, partner } from "../../harness/actors/partner.ts";
import { generateResponses, importRecords } from "../../harness/actors/survey.ts";
import type { PostgresCluster } from "../../harness/engines/postgres-cluster.ts";
import { keepAsking, until } from "../../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../../harness/stack/stacks.ts";
import { countCalls, reportRow } from "../row.ts";

const CONNECTIONS = 40;

/** A way to keep copies of a Postgres that runs, with its log in an archive. */
export interface Backup {
  /** What it is, for the table. */
  readonly name: string;
  /** Runs, and archives. */
  readonly cluster: PostgresCluster;
  /** Copies the cluster while it is written to. */
  copy(): Promise<void>;
  /** Marks the point to which it is restored. */
  mark(sql: Sql): Promise<unknown>;
  /** Brings the cluster back to the point from the copy and the archive, and starts it. Its folder is gone. */
  restore(): Promise<void>;
}

/** A copy that is made under load, the log up to a point, and the keys become a new stack. */
export async function restoreDrill({ name, cluster, copy, mark, restore }: Backup): Promise<void> {
  const old = await startOwnStack({ env: { DATABASE_URL: cluster.url } });
  let running: OwnStack | undefined = old;
  onTestFinished(() => running?.stop());
  const { advancedShop } = await onboard(old.now);
  const { key } = await onboardApiKey(old.now, advancedShop);
  await importRecords(old.now, "response", advancedShop, generateResponses(200, "restore"));
  const before = await manyConnections(old.now, CONNECTIONS);

  // Writes go on while the copy is made, and until the end.
  const acknowledged: { readonly id: string; readonly at: number }[] = [];
  const writing = keepAsking(async () => {
    const id = randomUUID();
    const answer = await writeSource(old, key, id);
    if (answer.status === 201) acknowledged.push({ id, at: performance.now() });
    return answer;
  }, 3);
  await until(() => acknowledged.length > 20);
  await copy();
  const afterCopy = acknowledged.length;
  await until(() => acknowledged.length > afterCopy + 20);
  const between = await manyConnections(old.now, CONNECTIONS);

  const pointFrom = performance.now();
  await inCluster(cluster, mark);
  const pointUntil = performance.now();
  const afterPoint = acknowledged.length;
  await until(() => acknowledged.length > afterPoint + 20);
  const later = await manyConnections(old.now, 3, before.client);
  const counts = await writing.stop();
  const [{ file = "" } = {}] = await inCluster(
    cluster,
    (sql) => sql<{ file: string }[]>`SELECT pg_walfile_name(pg_switch_wal()) AS file`,
  );
  await until(
    async () =>
      (await inCluster(cluster, (sql) => sql`SELECT FROM pg_stat_archiver WHERE last_archived_wal >= ${file}`)).count >
      0,
  );

  // Everything is gone but the copy, the archive and the keys.
  const signingKeys = await readFile(join(old.now.dataDir, "signing-keys.json"), "utf8");
  await cluster.kill();
  await old.stop();
  running = undefined;
  await rm(cluster.folder, { recursive: true });

  const since = performance.now();
  await restore();
  await until(async () => {
    const [row] = await inCluster(cluster, (sql) => sql`SELECT pg_is_in_recovery() AS still`);
    return row?.["still"] === false;
  });
  const recovered = (performance.now() - since) / 1000;
  // The run's Redis gives it an empty one.
  const fresh = await startOwnStack({ env: { DATABASE_URL: cluster.url }, signingKeys });
  onTestFinished(() => fresh.stop());
  const live = [...(await refreshAll(fresh, before)), ...(await refreshAll(fresh, between))];
  const seconds = (performance.now() - since) / 1000;
  const gone = await refreshAll(fresh, later);

  const sure = acknowledged.filter(({ at }) => at < pointFrom);
  const tooLate = acknowledged.slice(afterPoint + 10);
  let [lost, wrong] = [0, 0];
  for (const { id } of sure) if ((await writeSource(fresh, key, id)).status !== 200) lost++;
  for (const { id } of tooLate) if ((await writeSource(fresh, key, id)).status !== 201) wrong++;
  lost += live.filter(({ refreshed, read }) => refreshed !== 200 || read !== 200).length;
  wrong += gone.filter(({ refreshed }) => refreshed !== 400).length;
  reportRow({
    ...{ scenario: `restore to a point in time: ${name}, keys, empty Redis`, lost, wrong, seconds },
    ...countCalls([counts], [201]),
    note: `${live.length} connections refresh and read; ${sure.length} writes until the point; Postgres back after ${recovered.toFixed(1)} s`,
  });
  expect(pointUntil).toBeGreaterThan(pointFrom);
  expect(live).toEqual(Array(2 * CONNECTIONS).fill({ refreshed: 200, read: 200 }));
  expect(gone).toEqual(Array(3).fill({ refreshed: 400, read: 0 }));
  expect([lost, wrong]).toEqual([0, 0]);
  expect(sure.length).toBeGreaterThan(40);
  expect(tooLate.length).toBeGreaterThan(5);
  expect((await callApi(`${fresh.now.base_url}/api/responses?limit=500`, key)).json()).toMatchObject({
    data: expect.objectContaining({ length: 200 }),
  });
}

const writeSource = (on: OwnStack, key: string, external_id: string) =>
  callApi(`${on.now.base_url}/api/sources`, key, { name: "Hats", type: "podcast", external_id });

/** What each connection's refresh was answered with, and a read with the new access token; 0: there was none. */
async function refreshAll(on: OwnStack, { client, connections }: ManyConnections) {
  const app = partner(on.now, client);
  return await Promise.all(
    connections.map(async ({ refreshToken }) => {
      const answer = await app.refresh(refreshToken);
      if (answer.status !== 200) return { refreshed: answer.status, read: 0 };
      const { access_token } = answer.json() as { access_token: string };
      return { refreshed: 200, read: (await app.call("/api/responses?limit=1", access_token)).status };
    }),
  );
}

async function inCluster<Rows>(at: PostgresCluster, work: (sql: Sql) => Promise<Rows>): Promise<Rows> {
  const sql = connectDatabase(at.url, { name: "test", connections: 1, standby: true });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
