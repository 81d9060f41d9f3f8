import { randomBytes } from "node:crypto";
import { parseDatabaseUrl } from "./address/database-url.ts";
import { distribute } from "./distribute/distribute.ts";
import { migrate } from "./migrate/migrate.ts";
import { derivedRolePassword, roleUrl } from "./roles/role-url.ts";
import { closeTemplate, copyClusterSettings, joinNodes } from "./testing/cluster-database.ts";
import { createDatabase, dropDatabase, inDatabase, type Nodes, nodesOf } from "./testing/nodes.ts";

export { MIGRATIONS, migrateBy, type Route } from "./migrate/migrate.ts";
export { type MigrationFolder, migrationFolder } from "./migrate/testing/migration-folder.ts";

/** A migrated, empty database. Test files get copies of it, which take some hundredths of a second. */
const TEMPLATE = "partner_connect_template";

/** Milliseconds to wait for locks of a database that nobody else uses: on a cluster, Citus's own process takes some. */
const PATIENCE = 10_000;

export interface TestDatabase {
  /** For the owner. */
  readonly url: string;
  /** For the role of the authorization server. */
  readonly authorizationServerUrl: string;
  /** For the role of the resource server. */
  readonly resourceServerUrl: string;
  /** For the owner, the same database at each worker of a cluster. Empty on one Postgres. */
  readonly workers: readonly string[];
  drop(): Promise<void>;
}

/**
 * Makes the template. Called once for each Postgres, before any {@link freshDatabase}. On a Citus cluster (`CITUS_URL`,
 * `CITUS_WORKERS`) it is one on each node, distributed; that of an earlier test run is replaced.
 */
export async function createTestTemplate(adminUrl: string): Promise<void> {
  const nodes = nodesOf(adminUrl);
  const url = inDatabase(adminUrl, TEMPLATE);
  const isCluster = nodes.workers.length > 0;
  if (isCluster) await dropDatabase(nodes, TEMPLATE);
  await createDatabase(nodes, TEMPLATE);
  if (isCluster) await joinNodes(nodes, TEMPLATE);
  await migrate(url, {
    authorizationServerPassword: passwordOf(adminUrl, "authorization_server"),
    resourceServerPassword: passwordOf(adminUrl, "resource_server"),
  });
  if (!isCluster) return;
  await distribute(url, { patience: PATIENCE });
  await closeTemplate(nodes, TEMPLATE);
}

/** A database without our tables, of its own on the server or cluster of the test run: for what migrates by itself. */
export async function unmigratedDatabase(
  adminUrl: string | undefined,
): Promise<Pick<TestDatabase, "url" | "workers" | "drop">> {
  const nodes = nodesOf(required(adminUrl));
  const name = newName();
  await createDatabase(nodes, name);
  if (nodes.workers.length > 0) await joinNodes(nodes, name);
  return database(nodes, name);
}

/**
 * A migrated, empty database of its own on the server that the test run started (`TEST_DATABASE_URL`), or on its Citus cluster, where
 * it is distributed. Close its connections, then `drop` it.
 */
export async function freshDatabase(adminUrl: string | undefined): Promise<TestDatabase> {
  const nodes = nodesOf(required(adminUrl));
  const name = newName();
  await createDatabase(nodes, name, TEMPLATE);
  await copyClusterSettings(nodes, name);
  const { url, workers, drop } = database(nodes, name);
  return {
    url,
    authorizationServerUrl: roleUrl(url, "authorization_server", passwordOf(url, "authorization_server")),
    resourceServerUrl: roleUrl(url, "resource_server", passwordOf(url, "resource_server")),
    workers,
    drop,
  };
}

function required(adminUrl: string | undefined): string {
  if (!adminUrl) throw new Error("TEST_DATABASE_URL is not set: run the tests with `pnpm test`");
  return adminUrl;
}

function newName(): string {
  return `test_${randomBytes(8).toString("hex")}`;
}

function database(nodes: Nodes, name: string): Pick<TestDatabase, "url" | "workers" | "drop"> {
  return {
    url: inDatabase(nodes.first, name),
    workers: nodes.workers.map((url) => inDatabase(url, name)),
    drop: () => dropDatabase(nodes, name),
  };
}

function passwordOf(adminUrl: string, role: Parameters<typeof derivedRolePassword>[1]): string {
  return derivedRolePassword(parseDatabaseUrl(adminUrl).password, role);
}
