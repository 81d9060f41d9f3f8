import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmod, chown, cp, mkdir, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { withDatabase } from "@partner-connect/database/testing";
import { postgresPrograms } from "@partner-connect/local-stack/testing";
import { temporaryFolder } from "@partner-connect/service-runtime/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { connectShops, type ManyConnections } from "../harness/actors/many-connections.ts";
import { onboard, onboardApiKey } from "../harness/actors/onboarding.ts";
import { callApi, partner } from "../harness/actors/partner.ts";
import { generateResponses, importRecords } from "../harness/actors/survey.ts";
import { makeCluster, type PostgresCluster } from "../harness/engines/postgres-cluster.ts";
import { keepAsking, until } from "../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../harness/stack/stacks.ts";

const run = promisify(execFile);
const CONNECTIONS = 40;

const SCRIPTS = fileURLToPath(new URL("../../deploy/operations/", import.meta.url));

const folder = temporaryFolder(afterAll);
const backup = join(folder, "backup");
let cluster: PostgresCluster;
/** A script of deploy/operations, as Postgres's user. */
let script: (name: string, ...args: readonly string[]) => Promise<unknown>;

beforeAll(async () => {
  // Postgres's user needs access to the folders and scripts.
  const { user } = await postgresPrograms();
  await chmod(folder, 0o755);
  for (const name of ["archive-wal.sh", "base-backup.sh", "restore-backup.sh"])
    await cp(join(SCRIPTS, name), join(folder, name));
  for (const path of [backup, join(backup, "base"), join(backup, "wal")]) {
    await mkdir(path);
    if (user) await chown(path, user.uid, user.gid);
  }
  cluster = await makeCluster();
  const { hostname, port, username, password } = new URL(cluster.url);
  const login = { PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password };
  const env = { PATH: process.env["PATH"], PGDATA: cluster.folder, ...login };
  script = (name, ...args) =>
    run(join(folder, name), args, { cwd: "/", env, ...(user && { uid: user.uid, gid: user.gid }) });
  const command = `${join(folder, "archive-wal.sh")} %p %f ${backup}/wal`;
  await cluster.start({ archive_mode: "on", archive_command: command, archive_timeout: "60s" });
});
afterAll(async () => await cluster?.remove());

test("a restore to a point in time has all connections and writes before that point, and none after it", {
  timeout: 180_000,
}, async () => {
  const old = await startOwnStack({ env: { DATABASE_URL: cluster.url } });
  let running: OwnStack | undefined = old;
  onTestFinished(() => running?.stop());
  const { advancedShop } = await onboard(old.now);
  const { key } = await onboardApiKey(old.now, advancedShop);
  await importRecords(old.now, "response", advancedShop, generateResponses(200, "restore"));
  const before = await connectShops(old.now, CONNECTIONS);

  // Writes continue during the copy, until the end.
  const acknowledged: { readonly id: string; readonly at: number }[] = [];
  const writing = keepAsking(async () => {
    const id = randomUUID();
    const answer = await writeSource(old, key, id);
    if (answer.status === 201) acknowledged.push({ id, at: performance.now() });
    return answer;
  }, 3);
  await until(() => acknowledged.length > 20);
  // A second copy at the same time would delete the first, so it is refused.
  const copies = await Promise.allSettled([1, 2].map(() => script("base-backup.sh", backup)));
  const refusals = copies.flatMap((copy) => ("reason" in copy ? [copy.reason.stderr] : []));
  expect(refusals).toEqual(["another copy is being made\n"]);
  const afterCopy = acknowledged.length;
  await until(() => acknowledged.length > afterCopy + 20);
  const between = await connectShops(old.now, CONNECTIONS);

  const pointFrom = performance.now();
  const [{ point = "" } = {}] = await withDatabase(
    cluster.url,
    (sql) => sql<{ point: string }[]>`SELECT clock_timestamp()::text AS point`,
  );
  const afterPoint = acknowledged.length;
  await until(() => acknowledged.length > afterPoint + 20);
  const later = await connectShops(old.now, 3, before.client);
  await writing.stop();
  const [{ file = "" } = {}] = await withDatabase(
    cluster.url,
    (sql) => sql<{ file: string }[]>`SELECT pg_walfile_name(pg_switch_wal()) AS file`,
  );
  const archived = () =>
    withDatabase(
      cluster.url,
      (sql) => sql`SELECT FROM pg_stat_archiver WHERE last_archived_wal >= ${file}`,
    );
  await until(async () => (await archived()).count > 0);
  // Compressed: without writes, 16 MB a minute would fill the disk.
  expect((await stat(join(backup, "wal", file))).size).toBeLessThan(8 * 1024 * 1024);

  // Only the copy, the archive and the keys are used.
  const signingKeys = await readFile(join(old.now.dataDir, "signing-keys.json"), "utf8");
  await cluster.kill();
  await old.stop();
  running = undefined;
  const [copy = "", ...more] = await readdir(join(backup, "base"));
  expect(more).toEqual([]);
  await script("restore-backup.sh", backup, copy, point);
  await cluster.start();
  await until(async () => {
    const [row] = await withDatabase(
      cluster.url,
      (sql) => sql`SELECT pg_is_in_recovery() AS still`,
      true,
    );
    return row?.["still"] === false;
  });
  // The new stack's Redis is empty.
  const fresh = await startOwnStack({ env: { DATABASE_URL: cluster.url }, signingKeys });
  onTestFinished(() => fresh.stop());
  const live = [...(await refreshAll(fresh, before)), ...(await refreshAll(fresh, between))];
  const gone = await refreshAll(fresh, later);

  const sure = acknowledged.filter(({ at }) => at < pointFrom);
  const tooLate = acknowledged.slice(afterPoint + 10);
  const rewrite = (some: typeof acknowledged) =>
    Promise.all(some.map(({ id }) => writeSource(fresh, key, id)));
  expect(live).toEqual(Array(2 * CONNECTIONS).fill({ refreshed: 200, read: 200 }));
  expect(gone).toEqual(Array(3).fill({ refreshed: 400, read: 0 }));
  expect(new Set((await rewrite(sure)).map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set((await rewrite(tooLate)).map(({ status }) => status))).toEqual(new Set([201]));
  expect(sure.length).toBeGreaterThan(40);
  expect(tooLate.length).toBeGreaterThan(5);
  expect(
    (await callApi(`${fresh.now.base_url}/api/responses?limit=500`, key)).json(),
  ).toMatchObject({
    data: expect.objectContaining({ length: 200 }),
  });
});

const writeSource = (on: OwnStack, key: string, external_id: string) =>
  callApi(`${on.now.base_url}/api/sources`, key, { name: "Hats", type: "podcast", external_id });

/** The status of each connection's refresh, and of a read with the new token (0: none). */
async function refreshAll(on: OwnStack, { client, connections }: ManyConnections) {
  const app = partner(on.now, client);
  return await Promise.all(
    connections.map(async ({ refreshToken }) => {
      const answer = await app.refresh(refreshToken);
      if (answer.status !== 200) return { refreshed: answer.status, read: 0 };
      const { access_token } = answer.json() as { access_token: string };
      return {
        refreshed: 200,
        read: (await app.call("/api/responses?limit=1", access_token)).status,
      };
    }),
  );
}
