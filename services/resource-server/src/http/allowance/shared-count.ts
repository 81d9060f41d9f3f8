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
 * back to a later window. A part's name ends with how many calls it has. Its value is the rest of the window at which nobody waits for it
 * any more: Redis has no clock but that rest.
 *
 * The asking replica says what it knows of the window. Where Redis has lost its count, in whole or in part, that stands in. A rest
 * that is longer than a window is the work of a clock that was set back.
 */
const TAKE = `
local window, max, need, more = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local used, alone, known_rest = tonumber(ARGV[9]), tonumber(ARGV[10]), tonumber(ARGV[11])
local rest = redis.call('PTTL', KEYS[1])
local count = rest > 0 and tonumber(redis.call('GET', KEYS[1])) or 0
if rest < 1 or rest > window then
  rest = known_rest
  redis.call('DEL', KEYS[2])
elseif redis.call('HDEL', KEYS[2], ARGV[7]) == 1 then
  count = count - tonumber(ARGV[8])
end
if count < used then count, rest = used, math.min(rest, known_rest) end
count = count + alone
local taken = math.max(0, math.min(need, max - count))
local held = math.max(0, math.min(more, math.floor((max - count - taken) / ${SHARE})))
count = count + taken + held
redis.call('SET', KEYS[1], count, 'PX', rest)
local others, awaited = 0, 0
local parts = redis.call('HGETALL', KEYS[2])
for i = 1, #parts, 2 do
  others = others + (tonumber(string.match(parts[i], ':(%d+)$')) or 0)
  awaited = math.max(awaited, rest - tonumber(parts[i + 1]))
end
if held > 0 then
  redis.call('HSET', KEYS[2], ARGV[6] .. ':' .. held, rest - tonumber(ARGV[5]))
  redis.call('PEXPIRE', KEYS[2], rest)
end
return {taken + held, held, count, others, rest, awaited}`;

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
  /** Calls beside them, to be held as a part whose name begins with `id`. */
  readonly more: number;
  readonly id: string;
  /** Milliseconds for which the other replicas wait for that part. */
  readonly awaited: number;
  /** What was held before: it is replaced. */
  readonly former: Part | null;
  readonly known: Known;
}

/** What a replica knows of the window. */
export interface Known {
  /** So many calls at least were made, as far as Redis has told: those that are held may be given back. */
  readonly used: number;
  /** Calls that it has let through since, without Redis. */
  readonly alone: number;
  /** Whole milliseconds to the end of the window. */
  readonly rest: number;
}

export interface Taken {
  /** Calls, those to be held among them. */
  readonly calls: number;
  /** Of those to be held, if there are any. */
  readonly partId: string | null;
  /** Calls of this window that were made or are held, by any replica. */
  readonly count: number;
  /** Those that other replicas hold. */
  readonly others: number;
  /** Milliseconds to the end of the window. */
  readonly rest: number;
  /** For so many milliseconds other replicas may still give some back. */
  readonly awaited: number;
}

export async function takeCalls(redis: Redis, caller: string, wanted: Wanted): Promise<Taken> {
  const { window, max, need, more, awaited, id, former, known } = wanted;
  const [calls, held, count, others, rest, ending] = await counting(redis).takeCalls(
    ...keysOf(caller),
    ...[window, max, need, more, awaited, id, former?.id ?? "", former?.unused ?? 0],
    ...[known.used, known.alone, known.rest],
  );
  return { calls, partId: held > 0 ? `${id}:${held}` : null, count, others, rest, awaited: ending };
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
  takeCalls(...values: (string | number)[]): Promise<[number, number, number, number, number, number]>;
  giveBackCalls(...values: (string | number)[]): Promise<unknown>;
}

function counting(redis: Redis): CountingRedis {
  if (!("takeCalls" in redis)) {
    redis.defineCommand("takeCalls", { numberOfKeys: 2, lua: TAKE });
    redis.defineCommand("giveBackCalls", { numberOfKeys: 2, lua: GIVE_BACK });
  }
  return redis as CountingRedis;
}
