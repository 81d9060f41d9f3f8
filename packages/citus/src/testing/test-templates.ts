import {
  createDatabase,
  dropDatabase,
  inDatabase,
  type Nodes,
  onEach,
  rolePasswords,
  TEMPLATE,
  UNMIGRATED_TEMPLATE,
  withDatabase,
} from "@partner-connect/database/testing";
import { migrateAndDistribute } from "../migrate-and-distribute.ts";

/** Milliseconds to wait for locks of a database that nobody else uses: Citus's own process takes some. */
const PATIENCE = 10_000;

/** Makes the databases that test files get copies of, on each node of the cluster. Those of an earlier test run are replaced. */
export async function createClusterTemplates(nodes: Nodes): Promise<void> {
  for (const name of [TEMPLATE, UNMIGRATED_TEMPLATE]) await dropDatabase(nodes, name);
  await createDatabase(nodes, UNMIGRATED_TEMPLATE);
  await joinNodes(nodes, UNMIGRATED_TEMPLATE);
  await closeTemplate(nodes, UNMIGRATED_TEMPLATE);
  await createDatabase(nodes, TEMPLATE, UNMIGRATED_TEMPLATE);
  const url = inDatabase(nodes.first, TEMPLATE);
  await migrateAndDistribute(url, { patience: PATIENCE, ...rolePasswords(nodes.first) });
  await closeTemplate(nodes, TEMPLATE);
}

/** Makes the databases `name`, which each node has, one of a cluster. Its nodes know each other as in the cluster's own database. */
async function joinNodes(nodes: Nodes, name: string): Promise<void> {
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
async function closeTemplate(nodes: Nodes, name: string): Promise<void> {
  await onEach(nodes, "postgres", async (sql) => {
    await sql`ALTER DATABASE ${sql(name)} ALLOW_CONNECTIONS false`;
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${name}`;
  });
}
