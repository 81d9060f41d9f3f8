export { type Door, doorTo } from "./door.ts";
export { freshRedis, isRedisCluster, type TestRedis } from "./fresh-redis.ts";
export { expectHeadLikeGet } from "./head-like-get.ts";
export { type OwnRedis, ownRedis, type RedisProcess } from "./own-redis.ts";
export {
  type RedisCluster,
  type RedisClusterOptions,
  type RedisNode,
  startRedisCluster,
} from "./redis-cluster.ts";
export { keysOf, onEachMaster } from "./redis-masters.ts";
export { routesOf } from "./routes-of.ts";
export { suiteRedis, untilReady } from "./suite-redis.ts";
export { temporaryFolder } from "./temporary-folder.ts";
