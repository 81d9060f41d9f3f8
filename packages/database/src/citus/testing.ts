import type { Sql } from "../pool/sql.ts";
import { inDatabase, type Nodes, onEach, withDatabase } from "../testing/nodes.ts";
import { isOnCitus } from "./settings.ts";

/** How many sessions of this database wait for a lock, on whatever node. */
export async function waitingSessions(owner: Sql): Promise<number> {
  const waiting =
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  const text = (await isOnCitus(owner))
    ? `SELECT sum(result::int)::int AS count FROM run_command_on_all_nodes('${waiting.replaceAll("'", "''")}')`
    : waiting;
  const [row] = await owner.unsafe<{ count: number | string }[]>(text);
  return Number(row?.count);
}

/** Runs `work` while this database can't reach the node, whose registered host name is wrong. */
export async function whileAway<T>(owner: Sql, node: number, work: () => Promise<T>): Promise<T> {
  const [was] = await owner<{ nodename: string }[]>`
    SELECT nodename FROM pg_dist_node WHERE groupid = ${node}`;
  const move = (name: string | undefined) =>
    owner`UPDATE pg_dist_node SET nodename = ${name ?? ""} WHERE groupid = ${node}`;
  await move("/nowhere");
  try {
    return await work();
  } finally {
    await move(was?.nodename);
  }
}

/** On Citus, makes statements of the resource server fail if they would read several shards. */
export async function requireOneShard({
  url,
  workers,
}: {
  readonly url: string;
  readonly workers: readonly string[];
}): Promise<void> {
  if (workers.length === 0) return;
  const name = new URL(url).pathname.slice(1);
  await withDatabase(
    url,
    (owner) =>
      owner`ALTER ROLE resource_server IN DATABASE ${owner(name)} SET citus.multi_task_query_log_level = 'error'`,
  );
}

/** Joins the databases `name` to a cluster, with the nodes of the cluster's main database. */
export async function joinNodes(nodes: Nodes, name: string): Promise<void> {
  await onEach(nodes, name, (sql) => sql`CREATE EXTENSION citus`);
  const known = await withDatabase(
    nodes.first,
    (sql) => sql<{ host: string; port: number; first: boolean }[]>`
    SELECT nodename AS host, nodeport AS port, groupid = 0 AS first FROM pg_dist_node ORDER BY groupid`,
  );
  await withDatabase(inDatabase(nodes.first, name), async (sql) => {
    for (const { host, port, first } of known) {
      if (first) {
        await sql`SELECT citus_set_coordinator_host(${host}, ${port})`;
        // the host name by which this node connects to itself
        await sql.unsafe(`ALTER DATABASE ${name} SET citus.local_hostname = '${host}'`);
      } else await sql`SELECT citus_add_node(${host}, ${port})`;
    }
  });
}

/** Refuses connections, because a template must have none, and ends Citus's own process. */
export async function closeTemplate(nodes: Nodes, name: string): Promise<void> {
  await onEach(nodes, "postgres", async (sql) => {
    await sql`ALTER DATABASE ${sql(name)} ALLOW_CONNECTIONS false`;
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${name}`;
  });
}
