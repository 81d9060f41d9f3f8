export { freePort } from "@partner-connect/service-runtime/free-port";
export { GATEWAY_SETTINGS, STACK_SETTINGS } from "./config.ts";
export { containerEngine } from "./containers/start-container.ts";
export { type PostgresPrograms, postgresPrograms } from "./postgres/binaries.ts";
export { type Store, type StoreOptions, startPostgres, startRedis } from "./single-store.ts";
export { removeData } from "./stack/data-folder.ts";
export { type LocalStack, type LocalStackOptions, startLocalStack } from "./stack/local-stack.ts";
export type { LocalStackState } from "./stack/state.ts";
