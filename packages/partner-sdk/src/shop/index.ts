export type * from "./call-parameters.ts";
export { ShopClient, type ShopClientOptions } from "./shop-client.ts";
export { type ApiKeyOptions, shopWithApiKey } from "./shop-with-api-key.ts";
export type { SyncBatch } from "./sync/sync-batch.ts";
export type { SyncState } from "./sync/sync-state.ts";
