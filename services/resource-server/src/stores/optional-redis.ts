import { isDefect, type Logger, placeOf, type Redis } from "@partner-connect/service-runtime";

/** After a failure a server is not asked for this time, so that not every request waits for it. */
const PAUSE_MS = 1000;

/** In place of an answer: Redis could not be asked, so nothing is known about what it holds. */
export const NOT_ASKED = Symbol("Redis could not be asked");
export type NotAsked = typeof NOT_ASKED;

/**
 * Redis, for what a request can do without: when it is away, full or refuses, requests go on. Each server of a cluster counts by itself.
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
   * The result of `use`, whose keys are in one slot with `key`; {@link NOT_ASKED} if it fails, or failed a moment ago. @throws a defect of
   * ours
   */
  async attempt<T>(key: string, use: (redis: Redis) => Promise<T>): Promise<T | NotAsked> {
    const place = placeOf(this.#redis, key);
    const until = this.#paused.get(place);
    if (until !== undefined && performance.now() < until) return NOT_ASKED;
    try {
      const result = await use(this.#redis);
      if (until !== undefined) this.#paused.delete(place);
      return result;
    } catch (error) {
      if (isDefect(error)) throw error;
      this.#paused.set(place, performance.now() + PAUSE_MS);
      this.#logger.warn({ err: error }, "Redis failed; going on without it");
      return NOT_ASKED;
    }
  }
}
