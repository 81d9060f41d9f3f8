export { Counter, Gauge, Histogram, type Registry } from "prom-client";
export { httpServer } from "./http/http-server.ts";
export { startInternalServer } from "./http/internal-server.ts";
export {
  type AnsweredRequest,
  answeredRequest,
  factsOf,
  logRequests,
  noteFacts,
  type RequestFacts,
} from "./http/request-record.ts";
export { faultReason, isDefect } from "./logging/faults.ts";
export { auditLog, createLogger, type Logger } from "./logging/logger.ts";
export { addCaches, addGauge, addInfo, createMetrics, type Metrics } from "./metrics/metrics.ts";
export { refusalCounts } from "./metrics/refusal-counts.ts";
export { type StoreMeter, storeMeters } from "./metrics/store-meters.ts";
export { runProcess } from "./process/process.ts";
export { connectRedis, placeOf, type Redis, rateLimitStore, redisAnswers, WindowCounts } from "./redis/index.ts";
export { startTracing } from "./tracing/start-tracing.ts";
