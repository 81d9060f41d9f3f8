import { tmpdir } from "node:os";
import { changeDatabaseUrl, connectDatabase, parseDatabaseUrl, type Sql } from "@partner-connect/database";
import { runOperator } from "../actors/operator.ts";
import { citusPrograms } from "./citus-programs.ts";
import { clusterFrom, makeCluster, type PostgresCluster, type Settings } from "./postgres-cluster.ts";

/** Nodes that may be killed and started again; there may be more of them. The first is the coordinator. */
export interface CitusCluster {
  readonly nodes: readonly PostgresCluster[];
  /** The coordinator's, for the owner, in the database. */
  readonly url: string;
  /** The same database as seen from each worker. */
  readonly workerUrls: readonly string[];
  /** For the services: any of the workers. */
  readonly servicesUrl: string;
  /** Starts the first node as one Postgres, which knows nothing of Citus. */
  startPlain(): Promise<void>;
  /** Starts the first node as a coordinator, again if it was a plain Postgres. */
  startCoordinator(): Promise<void>;
  /** Starts another node, and makes it a worker. A rebalance brings shards to it. */
  addWorker(): Promise<void>;
  /** Starts a node that was killed or stopped. */
  startNode(index: number): Promise<void>;
  remove(): Promise<void>;
}

const DATABASE = "partner_connect";

const PLAIN: Settings = { max_connections: "300", timezone: "UTC" };

/** What Citus needs. Shards are moved by logical replication. */
const CITUS: Settings = {
  ...PLAIN,
  shared_preload_libraries: "citus",
  wal_level: "logical",
  "citus.node_conninfo": "sslmode=disable",
  "citus.shard_count": "8",
};

/** A coordinator and its workers, with an empty database. */
export async function startCitus(workers = 2): Promise<CitusCluster> {
  const cluster = await citusCluster();
  try {
    await cluster.startCoordinator();
    for (let count = 0; count < workers; count++) await cluster.addWorker();
    return cluster;
  } catch (error) {
    await cluster.remove();
    throw error;
  }
}

/** One node, not started yet. */
export async function citusCluster(): Promise<CitusCluster> {
  const citus = await citusPrograms();
  const first = await makeCluster({ programs: citus.programs, local: "trust" });
  const copies = await clusterFrom(first.folder, citus.programs);
  const nodes = [first];
  let isMade = false;
  // A node reaches itself, too.
  const settings = { ...CITUS, unix_socket_directories: citus.sockets, "citus.local_hostname": citus.sockets };
  const urlOf = (node: PostgresCluster): string => changeDatabaseUrl(node.url, { database: DATABASE });
  const urls = () => nodes.map(urlOf);
  const makeDatabase = (node: PostgresCluster) => ask(node.url, (sql) => sql`CREATE DATABASE ${sql(DATABASE)}`);
  return {
    nodes,
    get url() {
      return urlOf(first);
    },
    get workerUrls() {
      return urls().slice(1);
    },
    get servicesUrl() {
      const hosts = nodes.slice(1).flatMap(({ url }) => parseDatabaseUrl(url).hosts);
      return changeDatabaseUrl(urlOf(first), {
        hosts,
        parameters: new URLSearchParams({ load_balance_hosts: "random" }),
      });
    },
    async startPlain() {
      await first.start(PLAIN);
      await makeDatabase(first);
      isMade = true;
    },
    async startCoordinator() {
      await first.stop();
      await first.start(settings);
      if (!isMade) await makeDatabase(first);
      await ask(urlOf(first), async (sql) => {
        await sql`CREATE EXTENSION citus`;
        await sql`SELECT citus_set_coordinator_host(${citus.sockets}, ${first.port})`;
      });
    },
    async addWorker() {
      const node = await clusterFrom(copies.folder, citus.programs);
      nodes.push(node);
      await node.start(settings);
      await makeDatabase(node);
      await ask(urlOf(node), (sql) => sql`CREATE EXTENSION citus`);
      await ask(urlOf(first), (sql) => sql`SELECT citus_add_node(${citus.sockets}, ${node.port})`);
    },
    startNode: (index) => nodeOf(nodes, index).start(settings),
    async remove() {
      await Promise.all([...nodes, copies].map((node) => node.remove()));
      await citus.remove();
    },
  };
}

function nodeOf(nodes: readonly PostgresCluster[], index: number): PostgresCluster {
  const node = nodes[index];
  if (!node) throw new Error(`no node ${index}`);
  return node;
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

/** Runs the operator's command line on the database. */
export async function operate(url: string, args: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await runOperator({ dataDir: tmpdir() }, args, { env: { DATABASE_URL: url } });
  if (exitCode !== 0) throw new Error(`partner-connect ${args.join(" ")}: exit ${exitCode}: ${stderr}`);
}

/** What an operator does with an empty cluster: migrates it, and distributes the tables. */
export async function distributeDatabase(url: string): Promise<void> {
  await operate(url, ["migrate", "--distribute"]);
}
