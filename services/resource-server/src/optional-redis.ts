import { isDefect, type Logger, nodeOf, type Redis } from "@partner-connect/service-runtime";

/**
 * Milliseconds for which a server is skipped after a failure, so that requests don't all wait for
 * its timeout.
 */
const PAUSE_MS = 1000;

/**
 * Redis for optional data: requests continue while it is down, full or refuses. Each server of a
 * cluster has its own failure state.
 */
export class OptionalRedis {
  readonly #redis: Redis;
  readonly #logger: Logger;
  readonly #paused = new Map<string, number>();

  constructor(redis: Redis, logger: Logger) {
    this.#redis = redis;
    this.#logger = logger;
  }

  /**
   * Returns the result of `use`, or undefined if it fails or the server has failed recently. The
   * keys that `use` accesses must share a slot with `key`. @throws defects
   */
  async attempt<T>(key: string, use: (redis: Redis) => Promise<T>): Promise<T | undefined> {
    const place = nodeOf(this.#redis, key);
    const until = this.#paused.get(place);
    if (until !== undefined && performance.now() < until) return undefined;
    try {
      const result = await use(this.#redis);
      if (until !== undefined) this.#paused.delete(place);
      return result;
    } catch (error) {
      if (isDefect(error)) throw error;
      this.#paused.set(place, performance.now() + PAUSE_MS);
      this.#logger.warn({ err: error }, "Redis failed; going on without it");
      return undefined;
    }
  }
}
