export { connectRedis } from "./connect-redis.ts";
export { placeOf, redisAnswers } from "./readiness.ts";
export type { Redis } from "./redis.ts";
export { rateLimitStore, WindowCounts } from "./window-counts.ts";
