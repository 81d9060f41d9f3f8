import { type MigrateOptions, migrate, openSession } from "@partner-connect/database";
import { distribute } from "./distribute/distribute.ts";
import { DistributionError } from "./distribute/distribution-error.ts";
import { isOnCitus } from "./is-on-citus.ts";
import { holdersOnOtherNodes } from "./lock-holders.ts";
import { setOwnerSettings } from "./session-settings.ts";

export interface DistributedSchema {
  /** The migrations that were applied. */
  readonly applied: readonly string[];
  /** The tables that were distributed. */
  readonly distributed: readonly string[];
}

/**
 * Brings the database of a cluster to the newest schema, then distributes what is not distributed yet. `url` is the owner's, of the
 * coordinator. Safe to repeat.
 * @throws {DistributionError} before anything is changed, if there is no extension citus; after the migrations, if a table has no placement
 * @throws {MigrationError} when a migration or a table fails, or its lock is not to be had in time
 */
export async function migrateAndDistribute(
  url: string,
  { live, ...options }: MigrateOptions & { readonly patience: number; readonly live?: boolean },
): Promise<DistributedSchema> {
  await prepareOwner(url, options.patience);
  const applied = await migrate(url, { holdersElsewhere: holdersOnOtherNodes, ...options });
  const { patience, report } = options;
  return { applied, distributed: await distribute(url, { patience, report, live }) };
}

/** Migrations need the settings as well as what distributes. */
async function prepareOwner(url: string, patience: number): Promise<void> {
  const session = openSession(url, { patience });
  try {
    if (!(await isOnCitus(session.sql))) throw noCitus();
    await setOwnerSettings(session.sql);
  } finally {
    await session.end();
  }
}

function noCitus(): DistributionError {
  return new DistributionError(
    "this database can't be distributed: it has no extension citus",
    "CITUS_MISSING",
    "on a cluster's coordinator, run CREATE EXTENSION citus and add the nodes; on one Postgres, leave --distribute out",
  );
}
