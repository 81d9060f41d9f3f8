export { type DevOptions, dev } from "./dev.ts";
export { freePort } from "./processes/free-port.ts";
export { StartFailure } from "./processes/start-failure.ts";
export { removeData } from "./remove-data.ts";
export { type Store, type StoreOptions, startPostgres, startRedis } from "./single-store.ts";
export { type LocalStack, type LocalStackOptions, startLocalStack } from "./stack/local-stack.ts";
export type { Stores } from "./stack/open-stores.ts";
export type { StackClock } from "./stack/stack-clock.ts";
export type { LocalStackState, ProcessState } from "./stack/state.ts";
