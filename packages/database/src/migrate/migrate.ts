import { isOnCitus, setOwnerSettings, setServiceSettings } from "../citus/settings.ts";
import { statementsOf } from "../citus/statements.ts";
import type { Sql } from "../pool/sql.ts";
import { type RolePasswords, SERVICE_ROLES, setRolePassword } from "../roles/role-password.ts";
import { setRoleSettings } from "../roles/role-settings.ts";
import {
  type MigrationSession,
  openSession,
  SchemaHistoryError,
  throwMigrationError,
} from "./locked-session.ts";
import {
  appliedMigrations,
  describeHistoryMismatch,
  MIGRATIONS,
  type Migration,
  readMigrations,
} from "./migration-files.ts";
import { RECORDED_OBJECTS, recordObjects, schemaObjects } from "./schema-objects.ts";
import { setSchemaVersion } from "./schema-version.ts";
import { withShortLocks } from "./short-locks.ts";

/** Default of {@link MigrateOptions.patience}; after it, the error names who holds a lock. */
const PATIENCE = 120_000;

export interface MigrateOptions {
  readonly passwords?: RolePasswords;
  /** Milliseconds for which a migration tries to get its locks (default: two minutes). */
  readonly patience?: number;
  /** Receives a line for each applied migration, and for each session that blocks one. */
  readonly report?: ((line: string) => void) | undefined;
  /** Runs in the same session after the migrations, on each call, to install the job queues. */
  readonly afterwards?: (sql: Sql) => Promise<void>;
  /** The folder of the migrations (default: our own), for tests. */
  readonly folder?: URL;
}

/**
 * Migrates the database to the newest schema, and returns the names of the applied migrations. Each
 * commits separately, so the next call continues after a failed one. An advisory lock admits one
 * caller at a time. @throws {SchemaHistoryError} before any migration, if another version migrated
 * the database; {MigrationError} if a migration fails or gets no lock in time; {Error} if stored
 * rows violate a new constraint, after all are applied
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const session = openSession(url, { patience: PATIENCE, ...options });
  try {
    await session.takeLock();
    const onCitus = await isOnCitus(session.sql);
    if (onCitus) await setOwnerSettings(session.sql);
    const applied: string[] = [];
    const migrations = await readMigrations(options.folder ?? MIGRATIONS);
    for (const migration of await preparePendingMigrations(session, migrations)) {
      await session.takeLock();
      const title = `${migration.version} ${migration.name}`;
      const since = performance.now();
      const applying = applyMigration(session, migration, onCitus);
      const isNew = await applying.catch((error) => throwMigrationError(error, title, session));
      // Another caller has applied it, after our connection and its lock were lost.
      if (!isNew) continue;
      applied.push(title);
      session.report(`applied ${title} (${((performance.now() - since) / 1000).toFixed(1)} s)`);
    }
    await setSchemaVersion(session.sql, migrations.at(-1)?.version ?? 0);
    for (const role of SERVICE_ROLES)
      await setRolePassword(session.sql, role, options.passwords?.[role]);
    await setRoleSettings(session.sql);
    await options.afterwards?.(session.sql);
    if (onCitus) await setServiceSettings(session.sql);
    await validateConstraints(session.sql);
    return applied;
  } finally {
    await session.end();
  }
}

/**
 * Returns the migrations to apply, in order. On the first call, creates the tables that record
 * them. @throws {SchemaHistoryError}
 */
async function preparePendingMigrations(
  { sql }: MigrationSession,
  migrations: Migration[],
): Promise<Migration[]> {
  const applied = await appliedMigrations(sql);
  if (applied === null) {
    await sql.unsafe(
      `CREATE TABLE IF NOT EXISTS ${RECORDED_OBJECTS} (kind text, name text, definition text, PRIMARY KEY (kind, name))`,
    );
    await sql`CREATE TABLE public.schema_version (version bigint PRIMARY KEY, name text, md5 text, run_at timestamptz)`;
    return migrations;
  }
  const foreign = describeHistoryMismatch(applied, migrations);
  if (foreign !== null) {
    const [{ database }] = await sql<[{ database: string }]>`
      SELECT quote_ident(current_database()) AS database`;
    throw new SchemaHistoryError(database, foreign);
  }
  const versions = new Set(applied.map(({ version }) => version));
  return migrations.filter(({ version }) => !versions.has(version));
}

/**
 * Validates constraints that migrations added as NOT VALID, after their commit, without blocking
 * readers and writers.
 */
export async function validateConstraints(sql: Sql): Promise<void> {
  const rows = await sql<{ statement: string }[]>`
    SELECT format('ALTER TABLE %s VALIDATE CONSTRAINT %I', conrelid::regclass, conname) AS statement
    FROM pg_constraint WHERE NOT convalidated AND connamespace::regnamespace::text IN ('directory', 'oauth', 'survey')`;
  for (const { statement } of rows) await sql.unsafe(statement);
}

/**
 * Applies and records the migration in one transaction. Returns false if it was already applied.
 * @throws 55P03 if it gets no lock in time
 */
async function applyMigration(
  session: MigrationSession,
  { version, name, md5, script }: Migration,
  onCitus: boolean,
): Promise<boolean> {
  return await withShortLocks(session.sql, session, async (tx) => {
    const known = await tx`SELECT FROM public.schema_version WHERE version = ${version}`;
    if (known.count > 0) return false;
    const before = await schemaObjects(tx);
    for (const text of onCitus ? statementsOf(script) : [script]) await tx.unsafe(text);
    await recordObjects(tx, before);
    await tx`INSERT INTO public.schema_version VALUES (${version}, ${name}, ${md5}, now())`;
    return true;
  });
}
