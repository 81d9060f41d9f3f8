import type { Redis } from "@partner-connect/service-runtime";

/**
 * Counts a call in the window that the caller's first call opened, in one atomic step; over the limit the count stays one above it. The
 * replica says what it knows of the window: the greatest count it was told, its calls without Redis since, and the rest of the window.
 * Where Redis has lost its count, that stands in. A rest longer than a window comes of a clock that was set back.
 */
const COUNT = `
local window, max = tonumber(ARGV[1]), tonumber(ARGV[2])
local told, alone, known_rest = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local rest = redis.call('PTTL', KEYS[1])
local count = rest > 0 and tonumber(redis.call('GET', KEYS[1])) or 0
if rest < 1 or rest > window then rest = known_rest end
if count < told then count, rest = told, math.min(rest, known_rest) end
count = math.min(count + alone + 1, max + 1)
redis.call('SET', KEYS[1], count, 'PX', rest)
return {count, rest}`;

export interface Limit {
  /** Milliseconds from the first call on. */
  readonly window: number;
  readonly max: number;
}

export interface KnownWindow {
  readonly told: number;
  readonly alone: number;
  readonly rest: number;
}

export const countKey = (caller: string): string => `api-rate:${caller}`;

/** Counts a call. Returns the calls of the window, and the milliseconds to its end. */
export async function countCall(
  redis: Redis,
  caller: string,
  { window, max }: Limit,
  { told, alone, rest }: KnownWindow,
): Promise<readonly [count: number, rest: number]> {
  return await scripted(redis).countCall(countKey(caller), window, max, told, alone, rest);
}

interface ScriptedRedis extends Redis {
  countCall(key: string, ...values: number[]): Promise<[number, number]>;
}

function scripted(redis: Redis): ScriptedRedis {
  if (!("countCall" in redis)) redis.defineCommand("countCall", { numberOfKeys: 1, lua: COUNT });
  return redis as ScriptedRedis;
}
