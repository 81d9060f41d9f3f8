import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { OptionalRedis } from "../stores/optional-redis.ts";
import { CallerAllowance, type Count, type SharedCount } from "./allowance/caller-allowance.ts";
import { countKey, giveBackCalls, takeCalls } from "./allowance/shared-count.ts";

export type { Count };

export interface Limit {
  /** Milliseconds from the first call on. */
  readonly window: number;
  /** Calls in a window. */
  readonly max: number;
}

/** Callers of whom this process knows how many calls they have made. */
const KEPT = 10_000;

/** How often this process looks for parts that have ended. */
const GIVE_BACK_EVERY_MS = 100;

/**
 * Counts the requests of each caller in a window of time, in Redis, over all replicas: exactly `max` calls are let through.
 * While Redis is away each replica counts on from what it knows. If Redis was emptied it is told by each what that knows; so a restart
 * begins no new window.
 *
 * A caller who calls often is not counted in Redis at each call: this replica takes a part of what is left, and asks again when
 * it is used up. A caller over the limit is not counted again before the window ends. So neither costs Redis anything.
 */
export class RequestCounters {
  readonly #sharedCount: SharedCount;
  readonly #callers = new LRUCache<string, CallerAllowance>({ max: KEPT });
  /** Those who may hold a part. One that has left the cache is here until it has given its part back. */
  readonly #holders = new Set<CallerAllowance>();
  readonly #timer: NodeJS.Timeout;

  constructor(redis: OptionalRedis, limit: Limit) {
    const name = randomBytes(6).toString("base64url");
    let parts = 0;
    this.#sharedCount = {
      ...limit,
      newPartId: () => `${name}${(parts++).toString(36)}`,
      take: (key, wanted) => redis.attempt(countKey(key), (connection) => takeCalls(connection, key, wanted)),
      giveBack: (key, part) => redis.attempt(countKey(key), (connection) => giveBackCalls(connection, key, part)),
    };
    this.#timer = setInterval(() => void this.giveBackEnded(), GIVE_BACK_EVERY_MS).unref();
  }

  count(key: string): Count | Promise<Count> {
    let caller = this.#callers.get(key);
    if (!caller) {
      caller = new CallerAllowance(key, this.#sharedCount);
      this.#callers.set(key, caller);
    }
    const count = caller.count();
    if (count instanceof Promise) this.#holders.add(caller);
    return count;
  }

  /** Gives back what is unused of each part that has ended. */
  async giveBackEnded(): Promise<void> {
    await this.#giveBack(false);
  }

  /** No more calls are counted: gives back all parts. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#giveBack(true);
  }

  async #giveBack(all: boolean): Promise<void> {
    const given = [...this.#holders].map((caller) => caller.giveBack(all));
    for (const caller of this.#holders) if (!caller.isHolding) this.#holders.delete(caller);
    await Promise.all(given);
  }
}
