import { LRUCache } from "lru-cache";
import { NOT_ASKED, type OptionalRedis } from "../stores/optional-redis.ts";
import { countCall, countKey, type Limit } from "./shared-count.ts";

/** Where a caller stands after a call. */
export interface Count {
  /** Calls of this window; more than the limit: the call is refused. */
  readonly current: number;
  /** Milliseconds to the end of the window. */
  readonly ttl: number;
}

const KEPT = 10_000;

/**
 * Counts the requests of each caller in a window of time, in Redis, over all replicas: exactly `max` are let through. While Redis is away
 * each replica counts on alone, and tells Redis afterwards, also one that was emptied: a restart begins no new window. A caller over the
 * limit is not counted again.
 */
export class RequestCounters {
  readonly #redis: OptionalRedis;
  readonly #limit: Limit;
  readonly #windows = new LRUCache<string, CallerWindow>({ max: KEPT });

  constructor(redis: OptionalRedis, limit: Limit) {
    this.#redis = redis;
    this.#limit = limit;
  }

  async count(caller: string): Promise<Count> {
    const { window, max } = this.#limit;
    const known = this.#windowOf(caller);
    if (known.count >= max) return known.refused(max);
    const asked = new Stopwatch();
    const { told, alone, rest } = known;
    known.alone = 0; // a call that is counted meanwhile must not tell of them again
    const counted = await this.#redis.attempt(countKey(caller), (redis) =>
      countCall(redis, caller, { window, max }, { told, alone, rest }),
    );
    if (counted !== NOT_ASKED) return known.learn(counted, asked);
    known.alone += alone;
    if (known.count >= max) return known.refused(max);
    known.alone++;
    return { current: known.count, ttl: known.rest };
  }

  #windowOf(caller: string): CallerWindow {
    const known = this.#windows.get(caller);
    if (known && !known.isOver) return known;
    const window = new CallerWindow(this.#limit.window);
    this.#windows.set(caller, window);
    return window;
  }
}

/** What this replica knows of a caller's window. */
class CallerWindow {
  /** Calls of all replicas, as far as Redis has told. */
  told = 0;
  /** Calls that this replica has let through since, without Redis. */
  alone = 0;
  #rest: number;
  /** Since before Redis was asked: a window that is over here is over there. */
  #asked = new Stopwatch();

  /** A window that begins: it lasts until Redis tells otherwise. */
  constructor(rest: number) {
    this.#rest = rest;
  }

  get count(): number {
    return this.told + this.alone;
  }

  get isOver(): boolean {
    return this.#asked.passed >= this.#rest;
  }

  /** Whole milliseconds to its end; at least one. */
  get rest(): number {
    return Math.max(Math.ceil(this.#rest - this.#asked.passed), 1);
  }

  learn([count, rest]: readonly [number, number], asked: Stopwatch): Count {
    this.told = count;
    this.#rest = rest;
    this.#asked = asked;
    return { current: count, ttl: rest };
  }

  refused(max: number): Count {
    return { current: max + 1, ttl: this.rest };
  }
}

/** Milliseconds since it was made, by the clock that went on further: a wall clock that is set back must not make a minute last an hour. */
class Stopwatch {
  readonly #wall = Date.now();
  readonly #monotonic = performance.now();

  get passed(): number {
    return Math.max(Date.now() - this.#wall, performance.now() - this.#monotonic);
  }
}
