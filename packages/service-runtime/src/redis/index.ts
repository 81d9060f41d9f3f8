export { type ClusterAddress, clusterAddress } from "./cluster/cluster-address.ts";
export { placeOf } from "./cluster/server-of.ts";
export { type ConnectRedisOptions, connectRedis } from "./connect-redis.ts";
export { redisAnswers } from "./readiness.ts";
export type { Redis } from "./redis.ts";
