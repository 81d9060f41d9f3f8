import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import type { Redis } from "./connection.ts";

export interface WindowCount {
  /** Calls in this window. */
  readonly current: number;
  /** Milliseconds to the end of the window. */
  readonly ttl: number;
}

/**
 * Counts calls by key in fixed windows, which later calls don't prolong. The counts are shared
 * through Redis, or local without it.
 */
export class WindowCounts {
  readonly #limiter: RateLimiterRedis | RateLimiterMemory;

  constructor(seconds: number, shared?: { readonly redis: Redis; readonly prefix: string }) {
    // The caller compares the count with a limit, so the library must never refuse.
    const options = { points: Number.MAX_SAFE_INTEGER, duration: seconds };
    this.#limiter = shared
      ? new RateLimiterRedis({ ...options, storeClient: shared.redis, keyPrefix: shared.prefix })
      : new RateLimiterMemory(options);
  }

  async add(key: string): Promise<WindowCount> {
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

/**
 * A store class for `@fastify/rate-limit`, which creates the instances. Routes with the same keys
 * share a count.
 */
export function rateLimitStore(count: (key: string) => Promise<WindowCount>) {
  return class {
    incr(key: string, callback: (error: Error | null, count?: WindowCount) => void): void {
      count(key).then((counted) => callback(null, counted), callback);
    }
    child(): this {
      return this;
    }
  };
}
