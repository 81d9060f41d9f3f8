export {
  type RedisCluster,
  type RedisClusterOptions,
  type RedisNode,
  startRedisCluster,
} from "@partner-connect/service-runtime/testing";
