import { type MigrateOptions, migrate, openSession, type SessionOptions, type Sql } from "@partner-connect/database";
import { distribute } from "./distribute/distribute.ts";
import { DistributionError } from "./placements.ts";
import { holdersOnOtherNodes, isOnCitus, setOwnerSettings, setServiceSettings } from "./session-settings.ts";

export interface MigrateAndDistributeOptions extends MigrateOptions {
  readonly patience: number;
  /** Default: true. Without it, what is not distributed stays so. */
  readonly distribute?: boolean;
  readonly live?: boolean;
}

/**
 * Brings a database, which may be a cluster's (`url`: of the owner, at the coordinator), to the newest schema. Safe to repeat.
 * @throws {DistributionError} first, without the extension citus; last, if a table has no placement; {MigrationError} as {@link migrate}
 */
export async function migrateAndDistribute(
  url: string,
  { distribute: isDistributed = true, live, ...options }: MigrateAndDistributeOptions,
) {
  const { patience, report } = options;
  const progress = { patience, report };
  const onCitus = await inTurn(url, progress, async (sql) => {
    if (!(await isOnCitus(sql))) return false;
    await setOwnerSettings(sql);
    return true;
  });
  if (isDistributed && !onCitus) throw noCitus();
  const applied = await migrate(url, { holdersElsewhere: holdersOnOtherNodes, ...options });
  if (onCitus) await inTurn(url, progress, setServiceSettings); // migrations make the roles
  return { applied, distributed: isDistributed ? await distribute(url, { ...progress, live }) : [] };
}

async function inTurn<T>(url: string, progress: SessionOptions, work: (sql: Sql) => Promise<T>): Promise<T> {
  const session = openSession(url, progress);
  try {
    await session.takeTurn();
    return await work(session.sql);
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
