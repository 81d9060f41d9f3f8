import type { Redis } from "@partner-connect/service-runtime";

/** `burst` attempts at once, then one more each `everyMs`. */
export interface Allowance {
  readonly burst: number;
  readonly everyMs: number;
}

/** Counts attempts by the generic cell rate algorithm. A counter ends by itself when its allowance is full again. */
export interface AllowanceStore {
  /** Takes one attempt and returns 0. If none is left, takes nothing and returns the milliseconds until there is one. */
  take(key: string, allowance: Allowance): Promise<number>;
  /** Gives one attempt back. */
  giveBack(key: string, allowance: Allowance): Promise<void>;
}

/** KEYS[1] holds the time, in ms, at which the allowance is full again. ARGV: burst, everyMs. */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local burst, every = tonumber(ARGV[1]), tonumber(ARGV[2])
local full = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
local wait = full + every - burst * every - now
if wait > 0 then return wait end
redis.call('SET', KEYS[1], string.format('%d', full + every), 'PX', full + every - now)
return 0`;

/** ARGV: everyMs. */
const GIVE_BACK = `
local full = redis.call('GET', KEYS[1])
if full then redis.call('SET', KEYS[1], string.format('%d', full - ARGV[1]), 'KEEPTTL') end
return 0`;

export function allowanceStore(redis: Redis): AllowanceStore {
  return {
    async take(key, { burst, everyMs }) {
      return (await redis.eval(TAKE, 1, key, burst, everyMs)) as number;
    },
    async giveBack(key, { everyMs }) {
      await redis.eval(GIVE_BACK, 1, key, everyMs);
    },
  };
}
