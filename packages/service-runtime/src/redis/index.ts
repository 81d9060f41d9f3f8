export { type ClusterAddress, clusterAddress } from "./cluster-address.ts";
export { type ConnectRedisOptions, connectRedis } from "./connect-redis.ts";
export { redisAnswers } from "./readiness.ts";
export type { Redis } from "./redis.ts";
export { placeOf } from "./server-of.ts";
