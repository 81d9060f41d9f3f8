export { type Door, doorTo } from "./door.ts";
export { freshRedis, type TestRedis } from "./fresh-redis.ts";
export { type OwnRedis, ownRedis } from "./own-redis.ts";
export {
  type RedisCluster,
  type RedisClusterOptions,
  type RedisNode,
  startRedisCluster,
} from "./redis-cluster/index.ts";
