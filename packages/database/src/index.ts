export { connectDatabase, type DatabaseOptions, type Sql } from "./connect.ts";
export { isDatabaseFault } from "./database-fault.ts";
export { within } from "./deadline.ts";
export { type MigrateOptions, migrate } from "./migrate.ts";
export { derivedRolePassword, roleUrl, type ServiceRole } from "./role-url.ts";
export { transaction } from "./transaction.ts";
