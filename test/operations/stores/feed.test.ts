import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { openFeed, type TestFeed } from "@partner-connect/connections/changes/testing";
import {
  changeDatabaseUrl,
  connectDatabase,
  derivedRolePassword,
  derivedRolePasswords,
  migrate,
  parseDatabaseUrl,
  roleUrl,
} from "@partner-connect/database";
import { afterAll, beforeAll, test } from "vitest";
import {
  clusterFrom,
  copyWhileItRuns,
  makeCluster,
  type PostgresCluster,
} from "../../harness/engines/postgres-cluster.ts";
import { tryFeed } from "../try-feed.ts";

let primary: PostgresCluster;
let standby: PostgresCluster;
let feed: TestFeed;

const ROLES = ["authorization_server", "resource_server", "worker"] as const;
const password = (role: (typeof ROLES)[number]) => derivedRolePassword("model", role);

beforeAll(async () => {
  primary = await makeCluster();
  await primary.start({ wal_keep_size: "512MB" });
  await migrate(primary.url, { passwords: derivedRolePasswords("model") });
  standby = await clusterFrom(await copyWhileItRuns(primary));
  await standby.write("standby.signal", "");
  await standby.start({ primary_conninfo: connectionTo(primary) });
  const hosts = [primary, standby].flatMap(({ url }) => parseDatabaseUrl(url).hosts);
  const url = changeDatabaseUrl(primary.url, { hosts });
  const as = (role: (typeof ROLES)[number]) => roleUrl(url, role, password(role));
  feed = openFeed({ url, workerUrl: as("worker"), authorizationServerUrl: as("authorization_server") });
});
afterAll(async () => {
  await feed?.close();
  await primary?.remove();
  await standby?.remove();
});

function connectionTo({ url }: PostgresCluster): string {
  const { user, password, hosts } = parseDatabaseUrl(url);
  return `host=${hosts[0]?.host} port=${hosts[0]?.port} user=${user} password=${password} application_name=standby`;
}

const run = promisify(execFile);

test("killed, failed over with commits lost, restored to an earlier time: nothing is missed, nothing appears behind a reader", {
  timeout: 1_800_000,
}, async () => {
  const copy = `${standby.folder}-earlier`;
  const disturbances = [
    async () => {
      await primary.kill();
      await primary.start({ wal_keep_size: "512MB" });
    },
    () => standby.stop(),
    async () => {
      await primary.kill();
      await standby.start({ primary_conninfo: connectionTo(primary) });
      const sql = connectDatabase(standby.url, { name: "test", connections: 1, standby: true });
      await sql`SELECT pg_promote(true, 10)`;
      await sql.end();
    },
    async () => {
      await standby.stop();
      await run("cp", ["-a", standby.folder, copy]);
      await standby.start();
    },
    async () => {
      await standby.kill();
      await run("sh", ["-c", 'rm -rf "$1" && mv "$2" "$1"', "sh", standby.folder, copy]);
      await standby.start();
    },
  ];
  await tryFeed("feed: killed, failed over, restored", feed, disturbances);
});
