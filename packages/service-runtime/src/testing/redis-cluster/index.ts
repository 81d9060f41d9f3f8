export type { RedisNode } from "./node-process.ts";
export { type RedisCluster, type RedisClusterOptions, startRedisCluster } from "./redis-cluster.ts";
