export { changeDatabaseUrl, DatabaseUrlError, parseDatabaseUrl } from "./address/database-url.ts";
export { distribute } from "./distribute/distribute.ts";
export { isOnCluster } from "./distribute/is-on-cluster.ts";
export { tablesToDistribute } from "./distribute/tables-to-distribute.ts";
export { type MigrateOptions, migrate } from "./migrate/migrate.ts";
export { type SchemaState, schemaState } from "./migrate/schema-state.ts";
export { withShortLocks } from "./migrate/short-locks.ts";
export { repeatAfterDeadlock } from "./pool/after-deadlock.ts";
export { connectDatabase, type DatabaseOptions, type Sql } from "./pool/connect.ts";
export { isDatabaseFault, isFaultOfANode } from "./pool/database-fault.ts";
export { within } from "./pool/deadline.ts";
export { type Batches, countOutdated, deleteInBatches, type Outdated } from "./pool/delete-in-batches.ts";
export type { StatementObserver } from "./pool/observed-pool.ts";
export { transaction } from "./pool/transaction.ts";
export { requireOwnClock } from "./roles/own-clock.ts";
export { requireOwnSession } from "./roles/own-session.ts";
export {
  missingRoleSettings,
  PLANNER_SETTINGS,
  ROLE_SETTINGS,
  STATEMENT_TIMEOUT,
} from "./roles/role-settings.ts";
export { derivedRolePassword, roleUrl, type ServiceRole } from "./roles/role-url.ts";
export { connectRowReader, type LentRow, type Queries, type RowReader } from "./row-reader/row-reader.ts";
