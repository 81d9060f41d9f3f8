export { Counter, Gauge, Histogram, type Registry } from "prom-client";
export { allowedMethods } from "./http/allowed-methods.ts";
export {
  ApiError,
  answerUnknownRoutes,
  asApiError,
  authorizationValues,
  challenge,
  invalidCredential,
  rateLimited,
  unauthenticated,
  unavailable,
} from "./http/api-error.ts";
export { COMPRESSED_BODY, httpServer } from "./http/http-server.ts";
export {
  type AnsweredRequest,
  answeredRequest,
  factsOf,
  noteFacts,
  type RequestFacts,
} from "./http/request-record.ts";
export { Semaphore } from "./http/semaphore.ts";
export { type QueryParameters, queryValidator, readQuery, takeJson, validateRequests } from "./http/validation.ts";
export { faultReason, isDefect } from "./logging/faults.ts";
export { auditLog, createLogger, type Logger } from "./logging/logger.ts";
export {
  addGauge,
  addInfo,
  createMetrics,
  type Metrics,
  refusalCounts,
  type StoreMeter,
} from "./metrics.ts";
export { runService } from "./process/process.ts";
export { connectRedis } from "./redis/connect-redis.ts";
export type { Redis } from "./redis/connection.ts";
export { nodeOf, redisAnswers } from "./redis/readiness.ts";
export { rateLimitStore, WindowCounts } from "./redis/window-counts.ts";
