export { Counter, Gauge, type Histogram, type Registry } from "prom-client";
export { isDefect } from "./defect.ts";
export { faultReason } from "./fault-reason.ts";
export { type HttpServerOptions, httpServer } from "./http-server.ts";
export { type InternalServer, type InternalServerOptions, startInternalServer } from "./internal-server.ts";
export { logConfiguration } from "./log-configuration.ts";
export { createLogger, type Logger } from "./logger.ts";
export { BoundedWords } from "./metrics/bounded-words.ts";
export { addCaches, addGauge, addInfo } from "./metrics/readings.ts";
export { refusalCounts } from "./metrics/refusal-counts.ts";
export { type StoreMeter, storeMeters } from "./metrics/store-meters.ts";
export { createMetrics, type Metrics } from "./metrics.ts";
export { type Process, runProcess } from "./process.ts";
export {
  connectRedis,
  hashSlot,
  placeOf,
  type Redis,
  type RedisServer,
  redisAnswers,
  serverOf,
} from "./redis/index.ts";
export { factsOf, noteFacts, type RequestFacts } from "./request-facts.ts";
export { logRequests } from "./request-record.ts";
export { traceHeaders, traceRequests } from "./trace-requests.ts";
