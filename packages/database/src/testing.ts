import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { changeDatabaseUrl, parseDatabaseUrl } from "./database-url.ts";
import { migrate } from "./migrate/migrate.ts";
import { derivedRolePassword, roleUrl } from "./role-url.ts";

export { MIGRATIONS, migrateBy, type Route } from "./migrate/migrate.ts";
export { type MigrationFolder, migrationFolder } from "./migrate/testing/migration-folder.ts";

/** A migrated, empty database. Test files get copies of it, which take some hundredths of a second. */
const TEMPLATE = "partner_connect_template";

export interface TestDatabase {
  /** For the owner. */
  readonly url: string;
  /** For the role of the authorization server. */
  readonly authorizationServerUrl: string;
  /** For the role of the resource server. */
  readonly resourceServerUrl: string;
  drop(): Promise<void>;
}

/** Makes the template. Called once for each cluster, before any {@link freshDatabase}. */
export async function createTestTemplate(adminUrl: string): Promise<void> {
  await withCluster(adminUrl, (sql) => sql`CREATE DATABASE ${sql(TEMPLATE)}`);
  await migrate(inDatabase(adminUrl, TEMPLATE), {
    authorizationServerPassword: passwordOf(adminUrl, "authorization_server"),
    resourceServerPassword: passwordOf(adminUrl, "resource_server"),
  });
}

/** A database without our tables, of its own on the cluster of the test run: for what migrates by itself. */
export async function unmigratedDatabase(adminUrl: string | undefined): Promise<Pick<TestDatabase, "url" | "drop">> {
  if (!adminUrl) throw new Error("TEST_DATABASE_URL is not set: run the tests with `pnpm test`");
  const name = `test_${randomBytes(8).toString("hex")}`;
  await withCluster(adminUrl, (sql) => sql`CREATE DATABASE ${sql(name)}`);
  return {
    url: inDatabase(adminUrl, name),
    drop: () => withCluster(adminUrl, (sql) => sql`DROP DATABASE IF EXISTS ${sql(name)} WITH (FORCE)`),
  };
}

/**
 * A migrated, empty database of its own on the cluster that the test run started (`TEST_DATABASE_URL`).
 * Close its connections, then `drop` it.
 */
export async function freshDatabase(adminUrl: string | undefined): Promise<TestDatabase> {
  if (!adminUrl) throw new Error("TEST_DATABASE_URL is not set: run the tests with `pnpm test`");
  const name = `test_${randomBytes(8).toString("hex")}`;
  await withCluster(adminUrl, (sql) => sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(TEMPLATE)}`);
  const url = inDatabase(adminUrl, name);
  return {
    url,
    authorizationServerUrl: roleUrl(url, "authorization_server", passwordOf(url, "authorization_server")),
    resourceServerUrl: roleUrl(url, "resource_server", passwordOf(url, "resource_server")),
    drop: () => withCluster(adminUrl, (sql) => sql`DROP DATABASE IF EXISTS ${sql(name)} WITH (FORCE)`),
  };
}

function passwordOf(adminUrl: string, role: Parameters<typeof derivedRolePassword>[1]): string {
  return derivedRolePassword(parseDatabaseUrl(adminUrl).password, role);
}

function inDatabase(adminUrl: string, name: string): string {
  return changeDatabaseUrl(adminUrl, { database: name });
}

async function withCluster(adminUrl: string, work: (sql: postgres.Sql) => PromiseLike<unknown>): Promise<void> {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}
