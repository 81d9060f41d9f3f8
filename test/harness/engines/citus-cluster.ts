import { tmpdir } from "node:os";
import { changeDatabaseUrl, connectDatabase, parseDatabaseUrl, type Sql } from "@partner-connect/database";
import { runOperator } from "../actors/operator.ts";
import { citusPrograms } from "./citus-programs.ts";
import { clusterFrom, makeCluster, type PostgresCluster, type Settings } from "./postgres-cluster.ts";

/** A coordinator and its workers, with our tables distributed. Nodes may be killed and started again; the first is the coordinator. */
export interface CitusCluster {
  readonly nodes: readonly PostgresCluster[];
  /** The coordinator's, for the owner, in the database. */
  readonly url: string;
  /** For the services: any of the workers. */
  readonly servicesUrl: string;
  /** Starts a node that was killed or stopped. */
  startNode(index: number): Promise<void>;
  remove(): Promise<void>;
}

const DATABASE = "partner_connect";

/** What Citus needs. */
const SETTINGS: Settings = {
  max_connections: "300",
  timezone: "UTC",
  shared_preload_libraries: "citus",
  wal_level: "logical",
  "citus.node_conninfo": "sslmode=disable",
  "citus.shard_count": "8",
};

export async function startCitus(workers = 2): Promise<CitusCluster> {
  const citus = await citusPrograms();
  const first = await makeCluster({ programs: citus.programs, local: "trust" });
  const nodes = [first];
  for (let count = 0; count < workers; count++) nodes.push(await clusterFrom(first.folder, citus.programs));
  // A node reaches itself, too.
  const settings = { ...SETTINGS, unix_socket_directories: citus.sockets, "citus.local_hostname": citus.sockets };
  const urlOf = (node: PostgresCluster): string => changeDatabaseUrl(node.url, { database: DATABASE });
  const remove = async () => {
    await Promise.all(nodes.map((node) => node.remove()));
    await citus.remove();
  };
  try {
    for (const node of nodes) {
      await node.start(settings);
      await ask(node.url, (sql) => sql`CREATE DATABASE ${sql(DATABASE)}`);
      await ask(urlOf(node), (sql) => sql`CREATE EXTENSION citus`);
    }
    await ask(urlOf(first), async (sql) => {
      await sql`SELECT citus_set_coordinator_host(${citus.sockets}, ${first.port})`;
      for (const { port } of nodes.slice(1)) await sql`SELECT citus_add_node(${citus.sockets}, ${port})`;
    });
    const env = { DATABASE_URL: urlOf(first) };
    const { exitCode, stderr } = await runOperator({ dataDir: tmpdir() }, ["migrate", "--distribute"], { env });
    if (exitCode !== 0) throw new Error(`migrate --distribute: exit ${exitCode}: ${stderr}`);
  } catch (error) {
    await remove();
    throw error;
  }
  const hosts = nodes.slice(1).flatMap(({ url }) => parseDatabaseUrl(url).hosts);
  const parameters = new URLSearchParams({ load_balance_hosts: "random" });
  return {
    nodes,
    url: urlOf(first),
    servicesUrl: changeDatabaseUrl(urlOf(first), { hosts, parameters }),
    startNode: async (index) => await nodes[index]?.start(settings),
    remove,
  };
}

/** Asks one node once. */
export async function ask<T>(url: string, work: (sql: Sql) => PromiseLike<T>): Promise<T> {
  const sql = connectDatabase(url, { name: "test", connections: 1 });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** The port of the node that has the shop's rows. */
export async function nodeOfShop({ url }: Pick<CitusCluster, "url">, shopId: string): Promise<number> {
  const [row] = await ask(
    url,
    (sql) => sql<{ port: number }[]>`
      SELECT nodeport AS port FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
      WHERE shardid = get_shard_id_for_distribution_column('oauth.connections', ${shopId}::text)`,
  );
  if (!row) throw new Error(`no node has ${shopId}`);
  return row.port;
}
