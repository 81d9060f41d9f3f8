export { Counter, Gauge, Histogram, type Registry } from "prom-client";
export * from "./http/api-error.ts";
export { httpServer } from "./http/http-server.ts";
export {
  type AnsweredRequest,
  answeredRequest,
  factsOf,
  noteFacts,
  onAnswer,
  type RequestFacts,
} from "./http/request-record.ts";
export { Semaphore } from "./http/semaphore.ts";
export {
  COMPRESSED_BODY,
  type QueryParameters,
  queryValidator,
  readQuery,
  refuseCompressed,
  takeJson,
  validateRequests,
} from "./http/validation.ts";
export * from "./logging/faults.ts";
export { auditLog, createLogger, type Logger } from "./logging/logger.ts";
export * from "./metrics.ts";
export { runService } from "./process/process.ts";
export { connectRedis } from "./redis/connect-redis.ts";
export type { Redis } from "./redis/connection.ts";
export { nodeOf, requireRedis } from "./redis/readiness.ts";
export * from "./redis/window-counts.ts";
