export type { ApiCallerOptions, Credential } from "./api-caller.ts";
export type {
  Change,
  ChangesPage,
  Connection,
  DeletedResponse,
  NewSource,
  PartnerConnection,
  Question,
  Source,
  SurveyResponse,
} from "./api-types.ts";
export type {
  AuthorizationOptions,
  BegunAuthorization,
  PendingAuthorization,
} from "./authorization.ts";
export * from "./errors.ts";
export type * from "./follow-options.ts";
export { type Clock, systemClock } from "./network.ts";
export * from "./partner-connect.ts";
export * from "./shop-client.ts";
export { type ConnectionStore, MemoryStore, type StoredConnection } from "./stores.ts";
export type { SyncBatch, SyncState } from "./sync-responses.ts";
export * from "./verify-webhook.ts";
