export type { Histogram } from "prom-client";
export { isDefect } from "./defect.ts";
export { faultReason } from "./fault-reason.ts";
export { type HttpServerOptions, httpServer } from "./http-server.ts";
export { type InternalServer, type InternalServerOptions, startInternalServer } from "./internal-server.ts";
export { createLogger, type Logger } from "./logger.ts";
export { type Process, runProcess } from "./process.ts";
export { connectRedis, type Redis } from "./redis.ts";
export { factsOf, noteFacts, type RequestFacts } from "./request-facts.ts";
