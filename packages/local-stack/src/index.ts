export { type Store, type StoreOptions, startPostgres, startRedis } from "./stores.ts";
