import type { Redis } from "ioredis";
import { RedisConnection } from "./redis-connection.ts";

export type { Redis };

/**
 * A connection that fails fast: when Redis has said nothing for `silence` milliseconds (default: a second) while commands
 * wait for it, they all fail, and none waits for a server that is away. It connects again by itself.
 */
export function connectRedis(url: string, name: string, { silence = 1000 } = {}): Redis {
  const redis = new RedisConnection(url, silence, {
    connectionName: name,
    connectTimeout: 1000,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 500),
    reconnectOnError: (error) => (error.message.startsWith("READONLY") ? 2 : false),
  });
  // Without a listener ioredis prints every failed attempt; readiness and the failing commands tell it once.
  redis.on("error", () => {});
  return redis;
}
