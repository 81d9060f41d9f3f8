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
  readonly client: Redis;
  readonly #logger: Logger;
  readonly #paused = new Map<string, number>();

  constructor(client: Redis, logger: Logger) {
    this.client = client;
    this.#logger = logger;
  }

  /**
   * Returns the result of `use`, or undefined if it fails or the server has failed recently. The
   * keys that `use` accesses must share a slot with `key`. @throws defects
   */
  async attempt<T>(key: string, use: () => Promise<T>): Promise<T | undefined> {
    const server = nodeOf(this.client, key);
    const until = this.#paused.get(server);
    if (until !== undefined && performance.now() < until) return undefined;
    try {
      const result = await use();
      if (until !== undefined) this.#paused.delete(server);
      return result;
    } catch (error) {
      if (isDefect(error)) throw error;
      this.#paused.set(server, performance.now() + PAUSE_MS);
      this.#logger.warn({ err: error }, "Redis failed; continuing without it");
      return undefined;
    }
  }
}
