export { changeDatabaseUrl, DatabaseUrlError, parseDatabaseUrl } from "./address/database-url.ts";
export { clusterProblems } from "./citus/cluster-state.ts";
export { distribute } from "./citus/distribute.ts";
export { isOnCitus } from "./citus/settings.ts";
export { SchemaHistoryError } from "./migrate/locked-session.ts";
export { migrate } from "./migrate/migrate.ts";
export { schemaState } from "./migrate/migration-files.ts";
export { type SchemaObject, schemaDifferences } from "./migrate/schema-objects.ts";
export { requireWritable, schemaCheck } from "./migrate/schema-version.ts";
export { withShortLocks } from "./migrate/short-locks.ts";
export { comparedClock } from "./pool/compared-clock.ts";
export { arrayLiteral, connectDatabase, type DatabaseOptions } from "./pool/connect.ts";
export { isDatabaseFault, isFaultOfANode } from "./pool/database-fault.ts";
export { deleteInBatches } from "./pool/delete-in-batches.ts";
export { containsSql, type ListPage, listPageSql } from "./pool/list-page.ts";
export type { Part, Queries, Row, Rows, Sql, Statement, Transaction, Value } from "./pool/sql.ts";
export { transaction } from "./pool/transaction.ts";
export {
  derivedRolePassword,
  derivedRolePasswords,
  roleUrl,
  SERVICE_ROLES,
  type ServiceRole,
} from "./roles/role-password.ts";
export {
  missingRoleSettings,
  ROLE_SETTINGS,
  STATEMENT_TIMEOUT,
} from "./roles/role-settings.ts";
