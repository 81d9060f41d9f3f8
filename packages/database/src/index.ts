export { connectDatabase, type DatabaseOptions, type Sql } from "./connect.ts";
export { isDatabaseFault } from "./database-fault.ts";
export { within } from "./deadline.ts";
export { type MigrateOptions, migrate } from "./migrate/migrate.ts";
export { requireOwnClock } from "./own-clock.ts";
export { derivedRolePassword, roleUrl, type ServiceRole } from "./role-url.ts";
export { connectRowReader, type LentRow, type Queries, type RowReader } from "./row-reader.ts";
export { transaction } from "./transaction.ts";
