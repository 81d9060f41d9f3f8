import { isDefect, type Logger, type Redis } from "@partner-connect/service-runtime";

/** For how long Redis is left alone after it failed: nobody waits for it again and again. */
const PAUSE_MS = 1000;

/** Redis for what a request can do without. While it is away, full, or refuses for any reason, it is not asked. */
export class OptionalRedis {
  readonly #redis: Redis;
  readonly #logger: Logger;
  #pausedUntil = 0;

  constructor(redis: Redis, logger: Logger) {
    this.#redis = redis;
    this.#logger = logger;
  }

  /** What `use` gives, or undefined when Redis can't do it now. */
  async attempt<T>(use: (redis: Redis) => Promise<T>): Promise<T | undefined> {
    if (performance.now() < this.#pausedUntil) return undefined;
    try {
      return await use(this.#redis);
    } catch (error) {
      if (isDefect(error)) throw error;
      this.#pausedUntil = performance.now() + PAUSE_MS;
      this.#logger.warn({ err: error }, "Redis can't do it; going on without it");
      return undefined;
    }
  }
}
