import { execFile } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { changeDatabaseUrl } from "@partner-connect/database";
import { withDatabase } from "@partner-connect/database/testing";
import { postgresPrograms } from "@partner-connect/local-stack/testing";
import {
  clusterFrom,
  makeCluster,
  type PostgresCluster,
  type Settings,
} from "./postgres-cluster.ts";

export type CitusCluster = Awaited<ReturnType<typeof startCitus>>;

/** The path of an archive that is unpacked over npm's Postgres 18 (Linux, x64); null if unset. */
export const CITUS_ARCHIVE = process.env["CITUS_ARCHIVE"] || null;

const run = promisify(execFile);
const DATABASE = "partner_connect";
const SETTINGS: Settings = {
  max_connections: "300",
  timezone: "UTC",
  // The operating system keeps what a killed process has written.
  fsync: "off",
  shared_preload_libraries: "citus",
  wal_level: "logical",
  "citus.node_conninfo": "sslmode=disable",
  "citus.shard_count": "8",
};

/** Starts a coordinator, which is the first node, and two workers. Tests may kill each. */
export async function startCitus() {
  const { programs, sockets, ...citus } = await citusPrograms();
  const first = await makeCluster(programs, "trust");
  const nodes = [
    first,
    await clusterFrom(first.folder, programs),
    await clusterFrom(first.folder, programs),
  ];
  // A node also connects to itself.
  const settings = {
    ...SETTINGS,
    unix_socket_directories: sockets,
    "citus.local_hostname": sockets,
  };
  const urlOf = (node: PostgresCluster): string =>
    changeDatabaseUrl(node.url, { database: DATABASE });
  const remove = async () => {
    await Promise.all(nodes.map((node) => node.remove()));
    await citus.remove();
  };
  try {
    for (const node of nodes) {
      await node.start(settings);
      await withDatabase(node.url, (sql) => sql`CREATE DATABASE ${sql(DATABASE)}`);
      await withDatabase(urlOf(node), (sql) => sql`CREATE EXTENSION citus`);
    }
    await withDatabase(urlOf(first), async (sql) => {
      await sql`SELECT citus_set_coordinator_host(${sockets}, ${first.port})`;
      for (const { port } of nodes.slice(1)) await sql`SELECT citus_add_node(${sockets}, ${port})`;
    });
  } catch (error) {
    await remove();
    throw error;
  }
  const [url = "", ...workers] = nodes.map(urlOf);
  return {
    nodes: nodes as readonly PostgresCluster[],
    /** The owner's database URLs of the coordinator and of each worker. */
    url,
    workers,
    startNode: async (index: number) => await nodes[index]?.start(settings),
    remove,
  };
}

/** A copy of npm's Postgres with Citus, and a folder of sockets that only their user can enter. */
async function citusPrograms() {
  if (CITUS_ARCHIVE === null) throw new Error("no CITUS_ARCHIVE");
  const plain = await postgresPrograms();
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-citus-"));
  const [tree, sockets] = [join(folder, "postgres"), join(folder, "sockets")];
  await run("cp", ["-a", dirname(dirname(plain.postgres)), tree]);
  await run("tar", ["-xzf", CITUS_ARCHIVE, "-C", tree, "--no-same-owner"]);
  await run("chmod", ["-R", "a+rX", tree]);
  await mkdir(sockets, { mode: 0o700 });
  await chmod(folder, 0o755);
  if (plain.user) await chown(sockets, plain.user.uid, plain.user.gid);
  const programs = {
    ...plain,
    postgres: join(tree, "bin", "postgres"),
    initdb: join(tree, "bin", "initdb"),
  };
  return { programs, sockets, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The port of the node that has the shop's rows. */
export async function nodeOfShop({ url }: Pick<CitusCluster, "url">, shopId: string) {
  const [row] = await withDatabase(
    url,
    (sql) => sql<{ port: number }[]>`
      SELECT nodeport AS port FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
      WHERE shardid = get_shard_id_for_distribution_column('oauth.connections', ${shopId}::text)`,
  );
  if (!row) throw new Error(`no node has ${shopId}`);
  return row.port;
}
