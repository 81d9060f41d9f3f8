import { isDefect, type Logger, type Redis } from "@partner-connect/service-runtime";

/** For how long Redis is left alone after it failed: nobody waits for it again and again. */
const PAUSE_MS = 1000;

/** Instead of an answer: Redis could not be asked. It says nothing of what Redis knows. */
export const NOT_ASKED = Symbol("Redis could not be asked");
export type NotAsked = typeof NOT_ASKED;

/** Redis for what a request can do without. While it is away, full, or refuses for any reason, it is not asked. */
export class OptionalRedis {
  readonly #redis: Redis;
  readonly #logger: Logger;
  #pausedUntil = 0;

  constructor(redis: Redis, logger: Logger) {
    this.#redis = redis;
    this.#logger = logger;
  }

  /** What `use` gives, or {@link NOT_ASKED} when it fails, for whatever reason, or Redis has just failed. */
  async attempt<T>(use: (redis: Redis) => Promise<T>): Promise<T | NotAsked> {
    if (performance.now() < this.#pausedUntil) return NOT_ASKED;
    try {
      return await use(this.#redis);
    } catch (error) {
      if (isDefect(error)) throw error;
      this.#pausedUntil = performance.now() + PAUSE_MS;
      this.#logger.warn({ err: error }, "Redis can't do it; going on without it");
      return NOT_ASKED;
    }
  }
}
