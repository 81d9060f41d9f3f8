import { isDefect, type Logger, type Redis } from "@partner-connect/service-runtime";

/** After a failure Redis is not asked for so long, so that not every request waits for it. */
const PAUSE_MS = 1000;

/** In place of an answer: Redis could not be asked, so nothing is known about what it holds. */
export const NOT_ASKED = Symbol("Redis could not be asked");
export type NotAsked = typeof NOT_ASKED;

/** Redis, for what a request can do without. When it is away or full, or refuses for any other reason, requests go on. */
export class OptionalRedis {
  readonly #redis: Redis;
  readonly #logger: Logger;
  #pausedUntil = 0;

  constructor(redis: Redis, logger: Logger) {
    this.#redis = redis;
    this.#logger = logger;
  }

  /** The result of `use`; or {@link NOT_ASKED} if it fails, or if Redis failed a moment ago. A defect is thrown. */
  async attempt<T>(use: (redis: Redis) => Promise<T>): Promise<T | NotAsked> {
    if (performance.now() < this.#pausedUntil) return NOT_ASKED;
    try {
      return await use(this.#redis);
    } catch (error) {
      if (isDefect(error)) throw error;
      this.#pausedUntil = performance.now() + PAUSE_MS;
      this.#logger.warn({ err: error }, "Redis failed; going on without it");
      return NOT_ASKED;
    }
  }
}
