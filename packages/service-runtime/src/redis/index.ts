export { type ClusterAddress, clusterAddress } from "./cluster-address.ts";
export { type ConnectRedisOptions, connectRedis } from "./connect-redis.ts";
export { redisAnswers } from "./readiness.ts";
export type { Redis, RedisServer } from "./redis.ts";
export { hashSlot, placeOf, serverOf } from "./server-of.ts";
