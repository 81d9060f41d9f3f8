import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import type { Redis } from "./connection.ts";

export interface Count {
  /** Calls of this window. */
  readonly current: number;
  /** Milliseconds to its end. */
  readonly ttl: number;
}

/**
 * Counts calls by key in fixed windows: the first call of a key begins one, and later calls don't prolong it. With Redis all replicas share
 * the counts; without, they are this process's own. Each command has one key.
 */
export class WindowCounts {
  readonly #limiter: RateLimiterRedis | RateLimiterMemory;

  constructor(seconds: number, shared?: { readonly redis: Redis; readonly prefix: string }) {
    // The caller compares, so the library never refuses.
    const options = { points: Number.MAX_SAFE_INTEGER, duration: seconds };
    this.#limiter = shared
      ? new RateLimiterRedis({ ...options, storeClient: shared.redis, keyPrefix: shared.prefix })
      : new RateLimiterMemory(options);
  }

  async add(key: string): Promise<Count> {
    const { consumedPoints, msBeforeNext } = await this.#limiter.consume(key);
    return { current: consumedPoints, ttl: Math.max(msBeforeNext, 1) };
  }

  async takeBack(key: string): Promise<void> {
    await this.#limiter.reward(key);
  }

  async forget(key: string): Promise<void> {
    await this.#limiter.delete(key);
  }
}

/** The store of `@fastify/rate-limit`, which takes a class and makes the instances itself. Routes with the same keys share a count. */
export function rateLimitStore(count: (key: string) => Promise<Count>) {
  return class {
    incr(key: string, callback: (error: Error | null, count?: Count) => void): void {
      count(key).then((counted) => callback(null, counted), callback);
    }
    child(): this {
      return this;
    }
  };
}
