export { repeatAfterDeadlock } from "./after-deadlock.ts";
export { connectDatabase, type DatabaseOptions, type Sql } from "./connect.ts";
export { isDatabaseFault, isFaultOfANode } from "./database-fault.ts";
export { changeDatabaseUrl, DatabaseUrlError, parseDatabaseUrl } from "./database-url.ts";
export { within } from "./deadline.ts";
export { type Batches, countOutdated, deleteInBatches, type Outdated } from "./delete-in-batches.ts";
export { distribute } from "./distribute/distribute.ts";
export { isOnCluster } from "./distribute/is-on-cluster.ts";
export { tablesToDistribute } from "./distribute/tables-to-distribute.ts";
export { type MigrateOptions, migrate } from "./migrate/migrate.ts";
export { withShortLocks } from "./migrate/short-locks.ts";
export type { StatementObserver } from "./observed-pool.ts";
export { requireOwnClock } from "./own-clock.ts";
export { requireOwnSession } from "./own-session.ts";
export {
  missingRoleSettings,
  PLANNER_SETTINGS,
  ROLE_SETTINGS,
  STATEMENT_TIMEOUT,
} from "./role-settings.ts";
export { derivedRolePassword, roleUrl, type ServiceRole } from "./role-url.ts";
export { connectRowReader, type LentRow, type Queries, type RowReader } from "./row-reader.ts";
export { type SchemaState, schemaState } from "./schema-state.ts";
export { transaction } from "./transaction.ts";
