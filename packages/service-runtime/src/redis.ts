import { Redis } from "ioredis";

export type { Redis };

/**
 * A connection that fails fast: when Redis has said nothing for `silence` milliseconds (default: a second) while commands
 * wait for it, they all fail, and none waits for a server that is away. It connects again by itself.
 */
export function connectRedis(url: string, name: string, { silence = 1000 } = {}): Redis {
  const redis = new CorkedRedis(url, {
    connectionName: name,
    connectTimeout: 1000,
    // For the connection: a timer for each command makes every command an object that V8 handles slowly, and keeps long.
    socketTimeout: silence,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 500),
    reconnectOnError: (error) => (error.message.startsWith("READONLY") ? 2 : false),
  });
  // Without a listener ioredis prints every failed attempt; readiness and the failing commands tell it once.
  redis.on("error", () => {});
  return redis;
}

/**
 * What one turn of the event loop asks goes out in one write. ioredis's own auto-pipelining does so too, by a promise
 * and a pipeline more for each command, which keep each other alive until the whole heap is collected.
 */
class CorkedRedis extends Redis {
  #corked = false;

  override sendCommand(...command: Parameters<Redis["sendCommand"]>): unknown {
    const { stream } = this;
    if (!this.#corked && stream?.writable) {
      this.#corked = true;
      stream.cork();
      setImmediate(() => {
        this.#corked = false;
        stream.uncork();
      });
    }
    return super.sendCommand(...command);
  }
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
