import type { Redis } from "@partner-connect/service-runtime";

/**
 * The part of an allowance that a replica may hold beside the calls that wait for it: a sixteenth of what is left for all.
 * So the last 16 calls are counted one by one, and a replica that is killed takes 6 % of the allowance with it at most, until
 * the window ends.
 */
const SHARE = 16;

/**
 * Takes calls out of what is left of the window that the first call opened. One atomic step. The first key counts the calls
 * that were made or are held; the second has the parts that replicas hold. It lives as long as the first, so no part is given
 * back to a later window. A part's value is the rest of the window at which nobody waits for it any more: Redis has no
 * clock but that rest.
 */
const TAKE = `
local window, max, need, more = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local count = tonumber(redis.call('GET', KEYS[1]))
local rest, returned = window, 0
if count then
  rest = redis.call('PTTL', KEYS[1])
  if redis.call('HDEL', KEYS[2], ARGV[7]) == 1 then returned = tonumber(ARGV[8]) end
else
  redis.call('DEL', KEYS[2])
end
if rest < 0 then rest = window end
local left = max - (count or 0) + returned
local taken = math.max(0, math.min(need, left))
local held = math.max(0, math.min(more, math.floor((left - taken) / ${SHARE})))
redis.call('INCRBY', KEYS[1], taken + held - returned)
if rest == window then redis.call('PEXPIRE', KEYS[1], window) end
if held > 0 then
  redis.call('HSET', KEYS[2], ARGV[6], rest - tonumber(ARGV[5]))
  redis.call('PEXPIRE', KEYS[2], rest)
end
local awaited = 0
if taken < need then
  for _, ending in ipairs(redis.call('HVALS', KEYS[2])) do awaited = math.max(awaited, rest - tonumber(ending)) end
end
return {taken + held, held, left - taken - held, rest, awaited}`;

/** Gives back what is unused of a part, unless its window is over. */
const GIVE_BACK = `
if redis.call('HDEL', KEYS[2], ARGV[1]) == 1 and redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('DECRBY', KEYS[1], ARGV[2])
end`;

/** What a replica holds of a caller's allowance; or held, if the window is over. */
export interface Part {
  /** Unique among all replicas. */
  readonly id: string;
  unused: number;
}

export interface Wanted {
  readonly window: number;
  readonly max: number;
  /** Calls that wait. */
  readonly need: number;
  /** Calls beside them, to be held as the part `id`. */
  readonly more: number;
  readonly id: string;
  /** Milliseconds for which the other replicas wait for that part. */
  readonly awaited: number;
  /** What was held before: it is replaced. */
  readonly former: Part | null;
}

export interface Taken {
  /** Calls, those to be held among them. */
  readonly calls: number;
  readonly held: number;
  /** Calls that no replica has taken. */
  readonly left: number;
  /** Milliseconds to the end of the window. */
  readonly rest: number;
  /** There are fewer calls than needed. For so many milliseconds other replicas may still give some back. */
  readonly awaited: number;
}

export async function takeCalls(redis: Redis, caller: string, wanted: Wanted): Promise<Taken> {
  const { window, max, need, more, awaited, id, former } = wanted;
  const [calls, held, left, rest, others] = await counting(redis).takeCalls(
    ...keysOf(caller),
    ...[window, max, need, more, awaited, id, former?.id ?? "", former?.unused ?? 0],
  );
  return { calls, held, left, rest, awaited: others };
}

export async function giveBackCalls(redis: Redis, caller: string, { id, unused }: Part): Promise<void> {
  await counting(redis).giveBackCalls(...keysOf(caller), id, unused);
}

export const countKey = (caller: string): string => `api-rate:${caller}`;

/** Both are in one slot of a cluster. The sandbox knows them, too (packages/sandbox/src/triggers/rate-limits.ts). */
function keysOf(caller: string): [count: string, parts: string] {
  const count = countKey(caller);
  return [count, `api-rate-parts:{${count}}`];
}

/** A connection with the scripts as commands: ioredis sends each once, and only its hash from then on. */
interface CountingRedis extends Redis {
  takeCalls(...values: (string | number)[]): Promise<[number, number, number, number, number]>;
  giveBackCalls(...values: (string | number)[]): Promise<unknown>;
}

function counting(redis: Redis): CountingRedis {
  if (!("takeCalls" in redis)) {
    redis.defineCommand("takeCalls", { numberOfKeys: 2, lua: TAKE });
    redis.defineCommand("giveBackCalls", { numberOfKeys: 2, lua: GIVE_BACK });
  }
  return redis as CountingRedis;
}
