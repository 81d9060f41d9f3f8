import type { RedisClusterOptions } from "@partner-connect/service-runtime/testing";

export {
  isRedisCluster,
  type RedisCluster,
  type RedisClusterOptions,
  type RedisNode,
  startRedisCluster,
} from "@partner-connect/service-runtime/testing";

/** As in production each write is on the disk first. A node that a busy machine stops for seconds isn't given up. */
export const PATIENT_CLUSTER: RedisClusterOptions = { durable: true, nodeTimeout: 15_000 };
