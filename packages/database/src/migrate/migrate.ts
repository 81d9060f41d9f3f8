import type { Sql } from "../pool/sql.ts";
import { setPassword } from "../roles/role-password.ts";
import { setRoleSettings } from "../roles/role-settings.ts";
import { applyInTransaction, applyOutside } from "./apply-migration.ts";
import { type MigrationSession, openSession } from "./locked-session.ts";
import { explainFailure } from "./migration-error.ts";
import {
  appliedMigrations,
  createTableOfMigrations,
  MIGRATIONS,
  type Migration,
  readMigrations,
} from "./migration-files.ts";
import type { FindHolders } from "./session-watch.ts";

/** Milliseconds. A reader that goes on for longer, such as a backup, is named, and has to be waited for or ended by a person. */
const PATIENCE = 120_000;

export interface MigrateOptions {
  /** New password of the role authorization_server; left alone when absent. */
  readonly authorizationServerPassword?: string;
  readonly resourceServerPassword?: string;
  readonly notifierPassword?: string;
  /** Milliseconds for which a migration tries to get its locks (default: two minutes). */
  readonly patience?: number;
  /** Gets a line for each migration that was applied, and while one waits: for whom, and how far an index is. */
  readonly report?: ((line: string) => void) | undefined;
  readonly holdersElsewhere?: FindHolders;
}

/** A folder of migrations, and how far to go. For tests; everybody else goes to the end of our own. */
interface Route {
  readonly folder: URL;
  readonly upTo: number;
  /** Milliseconds that one try waits for a lock (default: `LOCK_WAIT_MS`). */
  readonly lockWait?: number;
}

/**
 * Brings the database to the newest schema, and returns the names of the migrations that it applied. Each commits by itself, so the next
 * call goes on after one that failed. An advisory lock lets one caller at a time do it.
 * @throws {MigrationError} when one fails, or gets no lock in time; {Error} if one was changed after it had been applied, or stored rows break a new constraint, once all are applied
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  return await migrateBy(url, { folder: MIGRATIONS, upTo: Number.POSITIVE_INFINITY }, options);
}

export async function migrateBy(url: string, route: Route, options: MigrateOptions = {}): Promise<string[]> {
  const session = openSession(url, { patience: PATIENCE, ...options });
  try {
    await session.takeTurn();
    const applied: string[] = [];
    for (const migration of await pendingMigrations(session, route)) {
      await session.takeTurn();
      const { version, name, isOutside } = migration;
      const title = `${version} ${name}`;
      const since = performance.now();
      const applying = isOutside
        ? applyOutside(session, migration)
        : applyInTransaction(session, migration, route.lockWait);
      const isNew = await applying.catch((error) => explainFailure(error, { title, isOutside, session }));
      if (!isNew) continue; // by another caller, as our connection was lost and its turn with it
      applied.push(title);
      session.report(`applied ${title} (${((performance.now() - since) / 1000).toFixed(1)} s)`);
    }
    await setPassword(session.sql, "authorization_server", options.authorizationServerPassword);
    await setPassword(session.sql, "resource_server", options.resourceServerPassword);
    await setPassword(session.sql, "notifier", options.notifierPassword);
    await setRoleSettings(session.sql);
    await validateConstraints(session.sql);
    return applied;
  } finally {
    await session.end();
  }
}

/** What the database doesn't have yet, in order. A migration that was changed after it had been applied is refused. */
async function pendingMigrations({ sql }: MigrationSession, { folder, upTo }: Route): Promise<Migration[]> {
  const applied = await appliedMigrations(sql);
  if (applied === null) await createTableOfMigrations(sql);
  const migrations = await readMigrations(folder);
  const changed = migrations.find(({ version, md5 }) => applied?.has(version) && applied.get(version) !== md5);
  if (changed) throw new Error(`the migration ${changed.filename} was changed after it had been applied`);
  return migrations.filter(({ version }) => version <= upTo && !applied?.has(version));
}

/** Validates what migrations added as NOT VALID, once they have committed: readers and writers go on beside it. */
export async function validateConstraints(sql: Sql): Promise<void> {
  const rows = await sql<{ statement: string }[]>`
    SELECT format('ALTER TABLE %s VALIDATE CONSTRAINT %I', conrelid::regclass, conname) AS statement
    FROM pg_constraint WHERE NOT convalidated AND connamespace::regnamespace::text IN ('directory', 'oauth', 'survey')`;
  for (const { statement } of rows) await sql.unsafe(statement);
}
