import { Redis } from "ioredis";

export type { Redis };

/**
 * A connection that fails fast: a command gets its answer within `commandTimeout` milliseconds (default: a second) or
 * an error, and none waits for a server that is away. It connects again by itself.
 */
export function connectRedis(url: string, name: string, { commandTimeout = 1000 } = {}): Redis {
  const redis = new Redis(url, {
    connectionName: name,
    connectTimeout: 1000,
    commandTimeout,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    // What one turn of the event loop asks goes out in one write.
    enableAutoPipelining: true,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 500),
    reconnectOnError: (error) => (error.message.startsWith("READONLY") ? 2 : false),
  });
  // Without a listener ioredis prints every failed attempt; readiness and the failing commands tell it once.
  redis.on("error", () => {});
  return redis;
}

const CLIENT_FAULT =
  /^(?:Command timed out|Connection is closed|Stream isn't writeable|Reached the max retries per request|connect E|read E|write E)/;
const SERVER_FAULT =
  /^(?:LOADING|OOM|MISCONF|READONLY|MASTERDOWN|NOREPLICAS|CLUSTERDOWN|TRYAGAIN|BUSY|NOAUTH|WRONGPASS|ERR max number of clients)/;

/** Whether `error` means that Redis is away, loading, full or refusing work: a 503, never a refusal of the caller. */
export function isRedisFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === "MaxRetriesPerRequestError" || error.name === "AbortError") return true;
  if ("previousErrors" in error || "lastNodeError" in error) return true;
  return CLIENT_FAULT.test(error.message) || SERVER_FAULT.test(error.message);
}
