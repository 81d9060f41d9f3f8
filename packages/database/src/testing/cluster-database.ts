import { CLUSTER_SETTINGS } from "../roles/role-settings.ts";
import { inDatabase, type Nodes, onEach, withDatabase } from "./nodes.ts";

/** Makes the databases `name`, which each node has, one of a cluster. Its nodes know each other as in the cluster's own database. */
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
        await sql.unsafe(`ALTER DATABASE ${name} SET citus.local_hostname = '${host}'`); // how it reaches itself
      } else await sql`SELECT citus_add_node(${host}, ${port})`;
    }
  });
}

/** Lets nobody in any more, as a template has no users. Citus's own process is ended too. */
export async function closeTemplate(nodes: Nodes, name: string): Promise<void> {
  await onEach(nodes, "postgres", async (sql) => {
    await sql`ALTER DATABASE ${sql(name)} ALLOW_CONNECTIONS false`;
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${name}`;
  });
}

/** A database that was made of a template has its tables and not its settings. */
export async function copyClusterSettings(nodes: Nodes, name: string): Promise<void> {
  if (nodes.workers.length === 0) return;
  await onEach(nodes, "postgres", async (sql) => {
    for (const [role, settings] of Object.entries(CLUSTER_SETTINGS)) {
      for (const [setting, value] of Object.entries(settings)) {
        await sql.unsafe(`ALTER ROLE ${role} IN DATABASE ${name} SET ${setting} = '${value}'`);
      }
    }
  });
}
