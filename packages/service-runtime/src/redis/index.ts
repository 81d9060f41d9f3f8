export { connectRedis } from "./connect-redis.ts";
export type { Redis } from "./connection.ts";
export { placeOf, redisAnswers } from "./readiness.ts";
export { rateLimitStore, WindowCounts } from "./window-counts.ts";
