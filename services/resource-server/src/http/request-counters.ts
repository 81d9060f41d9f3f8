import type { Redis } from "@partner-connect/service-runtime";
import { LRUCache } from "lru-cache";
import { NOT_ASKED, type OptionalRedis } from "../stores/optional-redis.ts";

/** Counts one request, in the window that the first one opened. One atomic step. Returns the count and the window's rest. */
const SCRIPT = `
local current = redis.call('INCR', KEYS[1])
if current == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) return {1, tonumber(ARGV[1])} end
return {current, redis.call('PTTL', KEYS[1])}`;

export interface Count {
  readonly current: number;
  /** Milliseconds to the end of the window. */
  readonly ttl: number;
}

interface LocalCount {
  current: number;
  readonly until: number;
}

/** Callers whose counts are kept in this process. */
const KEPT = 10_000;

/**
 * Counts the requests of each caller in a window of time: in Redis, over all replicas; or in this process alone while Redis
 * is away. A caller over the limit is not counted again before the window ends, so that it costs Redis nothing.
 */
export class RequestCounters {
  readonly #redis: OptionalRedis;
  readonly #local = new LRUCache<string, LocalCount>({ max: KEPT });
  readonly #exceeded = new LRUCache<string, LocalCount>({ max: KEPT });

  constructor(redis: OptionalRedis) {
    this.#redis = redis;
  }

  async count(key: string, window: number, max: number): Promise<Count> {
    const exceeded = this.#exceeded.get(key);
    if (exceeded && exceeded.until > Date.now()) return remaining(exceeded);
    const name = `api-rate:${key}`;
    const shared = await this.#redis.attempt(name, (redis) => increment(redis, name, window));
    if (shared === NOT_ASKED) return this.#countInProcess(key, window);
    if (shared.current > max) this.#exceeded.set(key, { current: shared.current, until: Date.now() + shared.ttl });
    return shared;
  }

  #countInProcess(key: string, window: number): Count {
    let count = this.#local.get(key);
    if (!count || count.until <= Date.now()) {
      count = { current: 0, until: Date.now() + window };
      this.#local.set(key, count);
    }
    count.current++;
    return remaining(count);
  }
}

function remaining({ current, until }: LocalCount): Count {
  return { current, ttl: Math.max(until - Date.now(), 1) };
}

async function increment(redis: Redis, key: string, window: number): Promise<Count> {
  if (!("countRequest" in redis)) redis.defineCommand("countRequest", { numberOfKeys: 1, lua: SCRIPT });
  const [current, ttl] = await (redis as CountingRedis).countRequest(key, window);
  return { current, ttl };
}

/** A connection with the script as a command: ioredis sends it once, and only its hash from then on. */
interface CountingRedis extends Redis {
  countRequest(key: string, window: number): Promise<[current: number, ttl: number]>;
}
