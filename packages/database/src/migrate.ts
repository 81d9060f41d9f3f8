import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import Postgrator from "postgrator";
import postgres from "postgres";
import { driverAddress } from "./driver-address.ts";
import { transaction as inTransaction } from "./transaction.ts";

const MIGRATIONS = fileURLToPath(new URL("../migrations/*.sql", import.meta.url));

/** An advisory lock that nothing but migrations takes. */
const LOCK = 7_032_019_941n;

export interface MigrateOptions {
  /** New password of the role authorization_server; left alone when absent. */
  readonly authorizationServerPassword?: string;
  /** New password of the role resource_server; left alone when absent. */
  readonly resourceServerPassword?: string;
}

/**
 * Brings the database at `url` to the newest schema, and returns the names of the migrations that it applied. All pending
 * ones commit together or not at all. An advisory lock lets one caller at a time do it; the others then find it done.
 * Migrations only expand; what a release no longer needs is dropped in a later one.
 * @throws if existing rows break a constraint that was added; the schema is the newest one all the same
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const address = driverAddress(url);
  const sql = postgres(address.url, { max: 1, onnotice: () => {}, ...address.options, connect_timeout: 5 });
  try {
    const applied = await inTransaction(sql, async (transaction) => {
      await transaction`SELECT pg_advisory_xact_lock(${LOCK.toString()}::bigint)`;
      const run = async (script: string) => ({ rows: await transaction.unsafe(script) });
      const postgrator = new Postgrator({
        driver: "pg",
        migrationPattern: MIGRATIONS,
        schemaTable: "public.schema_version",
        execQuery: run,
        execSqlScript: async (script: string) => void (await transaction.unsafe(script).simple()),
      });
      const applied = await postgrator.migrate();
      return applied.map((migration) => `${migration.version} ${migration.name}`);
    });
    await setPassword(sql, "authorization_server", options.authorizationServerPassword);
    await setPassword(sql, "resource_server", options.resourceServerPassword);
    await validateConstraints(sql);
    return applied;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/**
 * Checks existing rows against the constraints that a migration added as NOT VALID. Each is a statement of its own, once the
 * migrations have committed: it reads the whole table, but readers and writers go on beside it.
 */
async function validateConstraints(sql: postgres.Sql): Promise<void> {
  const rows = await sql<{ statement: string }[]>`
    SELECT format('ALTER TABLE %s VALIDATE CONSTRAINT %I', conrelid::regclass, conname) AS statement
    FROM pg_constraint WHERE NOT convalidated AND connamespace::regnamespace::text IN ('directory', 'oauth', 'survey')`;
  for (const { statement } of rows) await sql.unsafe(statement);
}

/** How often a role is altered when others alter it too. */
const TRIES = 20;

/**
 * Roles belong to the whole cluster, and no lock of ours does: Postgres refuses to alter one that a migration of another database
 * alters at the same moment. So it is a transaction of its own, as short as can be, and is tried again.
 */
async function setPassword(sql: postgres.Sql, role: string, password: string | undefined): Promise<void> {
  if (password === undefined) return;
  const [row] =
    await sql`SELECT format('ALTER ROLE %I LOGIN PASSWORD %L', ${role}::text, ${password}::text) AS statement`;
  for (let tries = 1; ; tries++) {
    try {
      return void (await sql.unsafe(row?.["statement"]));
    } catch (error) {
      if (tries === TRIES || !/tuple concurrently updated/.test(String(error))) throw error;
      await setTimeout(10 * tries * Math.random());
    }
  }
}
