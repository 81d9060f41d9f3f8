export { placeOf } from "./cluster/server-of.ts";
export { connectRedis } from "./connect-redis.ts";
export { redisAnswers } from "./readiness.ts";
export type { Redis } from "./redis.ts";
