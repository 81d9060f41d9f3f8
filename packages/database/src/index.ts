export { changeDatabaseUrl, DatabaseUrlError, parseDatabaseUrl } from "./address/database-url.ts";
export type { HolderRow } from "./migrate/lock-holders.ts";
export { type MigrateOptions, migrate } from "./migrate/migrate.ts";
export { explainFailure } from "./migrate/migration-error.ts";
export { type MigrationSession, openSession, type SessionOptions } from "./migrate/migration-session.ts";
export { type SchemaState, schemaState } from "./migrate/schema-state.ts";
export { withShortLocks } from "./migrate/short-locks.ts";
export { validateConstraints } from "./migrate/validate-constraints.ts";
export { repeatAfterDeadlock } from "./pool/after-deadlock.ts";
export { connectDatabase, type DatabaseOptions } from "./pool/connect.ts";
export { isDatabaseFault, isFaultOfANode } from "./pool/database-fault.ts";
export { within } from "./pool/deadline.ts";
export { type Batches, countOutdated, deleteInBatches, type Outdated } from "./pool/delete-in-batches.ts";
export type { Part, Queries, Row, Rows, Sql, Statement, Transaction, Value } from "./pool/sql.ts";
export { transaction } from "./pool/transaction.ts";
export type { StatementObserver } from "./pool/watched-pool.ts";
export { requireOwnClock } from "./roles/own-clock.ts";
export { requireOwnSession } from "./roles/own-session.ts";
export {
  missingRoleSettings,
  missingRoleSettingsHere,
  PLANNER_SETTINGS,
  ROLE_SETTINGS,
  STATEMENT_TIMEOUT,
  setRoleSettingsHere,
} from "./roles/role-settings.ts";
export { derivedRolePassword, roleUrl, type ServiceRole } from "./roles/role-url.ts";
export { connectRowReader, type LentRow, type RowReader } from "./row-reader/row-reader.ts";
